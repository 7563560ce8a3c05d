"""The gRPC edge: sessions, frames and admission, and the loop that plays matches."""
