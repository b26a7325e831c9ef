/* models: see the header. */
#include "tests/support/models.h"

typedef struct {
  GString *params, *body;
  guint    n;                   /* values so far: lv1 ... */
} Text;

static void
begin (Text       *self,
       const char *x)
{
  *self = (Text) { g_string_new (x), g_string_new (NULL), 0 };
}

/* Its number. */
G_GNUC_PRINTF (2, 3)
static guint
emit (Text       *self,
      const char *format,
      ...)
{
  va_list arguments;

  g_string_append_printf (self->body, "            lv%u = ", ++self->n);
  va_start (arguments, format);
  g_string_append_vprintf (self->body, format, arguments);
  va_end (arguments);
  g_string_append_c (self->body, '\n');
  return self->n;
}

static char *
end (Text *self)
{
  char *text = g_strdup_printf ("@I.ir_module\nclass Module:\n    @R.function\n    def main(%s):\n        with R.dataflow():\n%s"
                                "            R.output(lv%u)\n        return lv%u\n", self->params->str, self->body->str, self->n, self->n);

  g_string_free (self->params, TRUE);
  g_string_free (self->body, TRUE);
  return text;
}

static guint
linear (Text       *self,
        guint       x,
        guint       layer,
        const char *name,
        guint       in,
        guint       out)
{
  g_string_append_printf (self->params, ", layers_%u_%s_weight: R.Tensor((%u, %u), \"float32\"), layers_%u_%s_bias: R.Tensor((%u,), \"float32\")",
                          layer, name, in, out, layer, name, out);
  x = emit (self, "R.matmul(lv%u, layers_%u_%s_weight)", x, layer, name);
  return emit (self, "R.add(lv%u, layers_%u_%s_bias)", x, layer, name);
}

static guint
norm (Text  *self,
      guint  x,
      guint  layer,
      guint  which)
{
  g_string_append_printf (self->params, ", layers_%u_norm%u_weight: R.Tensor((64,), \"float32\"), layers_%u_norm%u_bias: R.Tensor((64,), \"float32\")",
                          layer, which, layer, which);
  return emit (self, "R.nn.layer_norm(lv%u, layers_%u_norm%u_weight, layers_%u_norm%u_bias, axes=[-1])", x, layer, which, layer, which);
}

static guint
heads (Text  *self,
       guint  x)
{
  x = emit (self, "R.reshape(lv%u, R.shape([1, 16, 4, 16]))", x);
  return emit (self, "R.permute_dims(lv%u, axes=[0, 2, 1, 3])", x);
}

char *
ls_model_transformer (guint n_layers)
{
  Text text;
  guint x;

  begin (&text, "x: R.Tensor((1, 16, 64), \"float32\")");
  x = emit (&text, "R.multiply(x, R.const(2, \"float32\"))");
  for (guint layer = 0; layer < n_layers; layer++)
    {
      guint y = norm (&text, x, layer, 1);
      guint q = linear (&text, y, layer, "q_proj", 64, 64), k = linear (&text, y, layer, "k_proj", 64, 64), v = linear (&text, y, layer, "v_proj", 64, 64);
      guint scores;

      q = heads (&text, q);
      k = emit (&text, "R.permute_dims(lv%u, axes=[0, 1, 3, 2])", heads (&text, k));
      v = heads (&text, v);
      scores = emit (&text, "R.matmul(lv%u, lv%u)", q, k);
      scores = emit (&text, "R.nn.softmax(lv%u, axis=-1)", emit (&text, "R.multiply(lv%u, R.const(0.25, \"float32\"))", scores));
      y = emit (&text, "R.permute_dims(lv%u, axes=[0, 2, 1, 3])", emit (&text, "R.matmul(lv%u, lv%u)", scores, v));
      y = linear (&text, emit (&text, "R.reshape(lv%u, R.shape([1, 16, 64]))", y), layer, "out_proj", 64, 64);
      x = emit (&text, "R.add(lv%u, lv%u)", x, y);
      y = emit (&text, "R.nn.gelu(lv%u)", linear (&text, norm (&text, x, layer, 2), layer, "fc1", 64, 256));
      x = emit (&text, "R.add(lv%u, lv%u)", x, linear (&text, y, layer, "fc2", 256, 64));
    }
  return end (&text);
}

static guint
convolution (Text  *self,
             guint  x,
             guint  block,
             guint  which)
{
  static const char *const parts[] = { "weight", "bias", "running_mean", "running_var" };

  g_string_append_printf (self->params, ", layer1_%u_conv%u_weight: R.Tensor((8, 8, 3, 3), \"float32\")", block, which);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_string_append_printf (self->params, ", layer1_%u_bn%u_%s: R.Tensor((8,), \"float32\")", block, which, parts[i]);
  x = emit (self, "R.nn.conv2d(lv%u, layer1_%u_conv%u_weight, padding=[1, 1, 1, 1])", x, block, which);
  x = emit (self, "R.nn.batch_norm(lv%u, layer1_%u_bn%u_weight, layer1_%u_bn%u_bias, layer1_%u_bn%u_running_mean, layer1_%u_bn%u_running_var, axis=1)",
            x, block, which, block, which, block, which, block, which);
  return emit (self, "lv%u[0]", x);
}

char *
ls_model_resnet (guint n_blocks)
{
  Text text;
  guint x;

  begin (&text, "x: R.Tensor((1, 8, 16, 16), \"float32\")");
  x = emit (&text, "R.nn.relu(x)");
  for (guint block = 0; block < n_blocks; block++)
    {
      guint y = emit (&text, "R.nn.relu(lv%u)", convolution (&text, x, block, 1));

      y = convolution (&text, y, block, 2);
      x = emit (&text, "R.nn.relu(lv%u)", emit (&text, "R.add(lv%u, lv%u)", x, y));
    }
  return end (&text);
}

char *
ls_model_random (guint n_calls,
                 guint seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Text text;

  begin (&text, "x: R.Tensor((8, 8), \"float32\")");
  emit (&text, "R.nn.relu(x)");
  for (guint i = 1; i < n_calls; i++)
    {
      guint near = (guint) g_rand_int_range (rand, (gint32) (i > 20 ? i - 20 : 1), (gint32) i + 1);
      guint far = (guint) g_rand_int_range (rand, 1, (gint32) (i % 10 == 0 ? MIN (i, 8) : i) + 1);

      emit (&text, "R.add(lv%u, lv%u)", near, far);
    }
  return end (&text);
}
