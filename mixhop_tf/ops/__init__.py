"""Graph operators as sparse tensors, and products with them."""
