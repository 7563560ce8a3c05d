"""The organizers' and operators' gRPC services and their client."""
