/* What the chat parser refers to but, without a model, never calls. */
#include <stdlib.h>

void ggml_abort(void) { abort(); }
void llama_chat_apply_template(void) { abort(); }
void llama_model_chat_template(void) { abort(); }
void llama_model_get_vocab(void) { abort(); }
void llama_token_to_piece(void) { abort(); }
void llama_vocab_bos(void) { abort(); }
void llama_vocab_eos(void) { abort(); }
void llama_vocab_get_add_bos(void) { abort(); }
void llama_vocab_get_add_eos(void) { abort(); }
