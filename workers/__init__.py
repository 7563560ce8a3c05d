"""The Celery app and its tasks; a task names its work by id and is idempotent."""
