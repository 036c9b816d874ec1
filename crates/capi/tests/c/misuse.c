/* Bad input to every function: the code, and a word of the message, that come back. */
#include "wolff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0, checks = 0;

static void expect_at(int line, WolffCode got, WolffCode want, const char *word) {
    checks++;
    if (got != want || (want != WOLFF_CODE_OK && strstr(wolff_last_error(), word) == NULL)) {
        printf("line %d: code %d, expected %d with `%s`; message: %s\n", line, (int)got, (int)want, word, wolff_last_error());
        failures++;
    }
}
#define EXPECT(call, code, word) expect_at(__LINE__, call, WOLFF_CODE_##code, word)
#define DONE(call) EXPECT(call, OK, "")

static const double ORIGIN[3] = {0.0, 0.0, 0.0}, UP[3] = {0.0, 0.0, 1.0};
static const double SQUARE[12] = {-0.01, -0.01, 0.0, 0.01, -0.01, 0.0, 0.01, 0.01, 0.0, -0.01, 0.01, 0.0};
static const uint32_t HALVES[6] = {0, 1, 2, 0, 2, 3};

static void surfaces(void) {
    const double lost[3] = {0.0, NAN, 0.0};
    const double open[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, INFINITY, 0.0};
    const uint32_t beyond[3] = {0, 1, 7}, flat[3] = {0, 0, 1};
    WolffSurface *s = (WolffSurface *)1;
    EXPECT(wolff_surface_triangles(NULL, 4, HALVES, 2, 0, &s), NULL_POINTER, "`vertices`");
    EXPECT(s == NULL ? WOLFF_CODE_OK : WOLFF_CODE_INTERNAL, OK, "a failed call leaves NULL");
    EXPECT(wolff_surface_triangles(SQUARE, 4, NULL, 2, 0, &s), NULL_POINTER, "`triangles`");
    EXPECT(wolff_surface_triangles(SQUARE, 4, HALVES, 2, 0, NULL), NULL_POINTER, "`surface`");
    EXPECT(wolff_surface_triangles(SQUARE, 4, HALVES, 2, 5, &s), UNKNOWN_CHOICE, "`normals` is 5");
    EXPECT(wolff_surface_triangles(SQUARE, SIZE_MAX, HALVES, 2, 0, &s), BAD_COUNT, "`vertices`");
    EXPECT(wolff_surface_triangles(SQUARE, 4, HALVES, 0, 0, &s), GEOMETRY, "no triangles");
    EXPECT(wolff_surface_triangles(SQUARE, 4, beyond, 1, 0, &s), GEOMETRY, "vertex 7");
    EXPECT(wolff_surface_triangles(SQUARE, 4, flat, 1, 0, &s), GEOMETRY, "area");
    EXPECT(wolff_surface_triangles(open, 3, HALVES, 1, 0, &s), GEOMETRY, "finite");

    EXPECT(wolff_surface_file(NULL, 1.0, 0, &s), NULL_POINTER, "`path`");
    EXPECT(wolff_surface_file("no such file.stl", 1.0, 0, &s), FILE, "no such file.stl");
    EXPECT(wolff_surface_file("\xff.stl", 1.0, 0, &s), BAD_TEXT, "byte 0");
    EXPECT(wolff_surface_file("misuse.stl", NAN, 0, &s), NOT_FINITE, "`scale");
    EXPECT(wolff_surface_file("misuse.stl", 1.0, -1, &s), UNKNOWN_CHOICE, "`normals`");
    EXPECT(wolff_surface_file("misuse.stl", 1.0, 0, NULL), NULL_POINTER, "`surface`");

    EXPECT(wolff_surface_sphere(NULL, 0.03, &s), NULL_POINTER, "`centre`");
    EXPECT(wolff_surface_sphere(lost, 0.03, &s), NOT_FINITE, "`centre[1]`");
    EXPECT(wolff_surface_sphere(ORIGIN, -0.03, &s), GEOMETRY, "radius");
    EXPECT(wolff_surface_sphere(ORIGIN, NAN, &s), GEOMETRY, "radius");
    EXPECT(wolff_surface_sphere(ORIGIN, 0.03, NULL), NULL_POINTER, "`surface`");

    EXPECT(wolff_surface_plane(NULL, UP, &s), NULL_POINTER, "`origin`");
    EXPECT(wolff_surface_plane(ORIGIN, NULL, &s), NULL_POINTER, "`normal`");
    EXPECT(wolff_surface_plane(lost, UP, &s), NOT_FINITE, "`origin[1]`");
    EXPECT(wolff_surface_plane(ORIGIN, ORIGIN, &s), GEOMETRY, "normal");
    EXPECT(wolff_surface_plane(ORIGIN, UP, NULL), NULL_POINTER, "`surface`");
    DONE(wolff_surface_free(NULL));
}

static WolffGrid good_grid(void) {
    WolffGrid grid = {0};
    grid.normal[2] = grid.along[0] = 1.0;
    grid.first[0] = grid.second[0] = -0.005;
    grid.first[1] = grid.second[1] = 0.005;
    grid.counts[0] = grid.counts[1] = 4;
    grid.range[0] = -0.01;
    grid.range[1] = 0.01;
    return grid;
}

static void elements(WolffBuilder *b, WolffBuilder *smooth, const WolffSurface *ball) {
    WolffGrid grid = good_grid();
    WolffLayer layer = {.kind = WOLFF_LAYER_KIND_CONSTANT, .thickness = 0.008};
    EXPECT(wolff_builder_add_grid(NULL, "a", &grid, &layer), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_add_grid(b, NULL, &grid, &layer), NULL_POINTER, "`name`");
    EXPECT(wolff_builder_add_grid(b, "a", NULL, &layer), NULL_POINTER, "`grid`");
    EXPECT(wolff_builder_add_grid(b, "a", &grid, NULL), NULL_POINTER, "`layer`");
    EXPECT(wolff_builder_add_grid(b, "\xc3\x28", &grid, &layer), BAD_TEXT, "`name`");
    grid.shape = 3;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), UNKNOWN_CHOICE, "`grid.shape`");
    grid = good_grid(), grid.shape = WOLFF_GRID_SHAPE_CYLINDER;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), CONTACT, "radius");
    grid = good_grid(), grid.origin[2] = NAN;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), NOT_FINITE, "`grid.origin[2]`");
    grid = good_grid(), grid.range[0] = -INFINITY;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), NOT_FINITE, "`grid.range[0]`");
    grid = good_grid(), grid.counts[0] = 0;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), BAD_COUNT, "`grid.counts`");
    grid = good_grid(), grid.counts[0] = grid.counts[1] = SIZE_MAX;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), BAD_COUNT, "`grid.counts`");
    grid = good_grid(), grid.first[0] = 1.0;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), CONTACT, "extent");
    grid = good_grid(), grid.along[0] = 0.0;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), CONTACT, "first direction");
    grid = good_grid(), grid.origin[0] = 1.0;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), CONTACT, "no contact element");
    grid = good_grid(), layer.thickness = 0.0;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), CONTACT, "thickness");
    layer.kind = -4;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), UNKNOWN_CHOICE, "`layer.kind`");
    layer.kind = WOLFF_LAYER_KIND_TO_BACK;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), NULL_POINTER, "`layer.back`");
    layer.back = ball, layer.reach = NAN;
    EXPECT(wolff_builder_add_grid(b, "a", &grid, &layer), NOT_FINITE, "`layer.reach");

    EXPECT(wolff_builder_add_triangles(NULL, "a", &layer), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_add_triangles(b, NULL, &layer), NULL_POINTER, "`name`");
    EXPECT(wolff_builder_add_triangles(b, "a", NULL), NULL_POINTER, "`layer`");
    EXPECT(wolff_builder_add_triangles(b, "a", &layer), CONTACT, "thickness");
    layer.reach = 1e-6;
    EXPECT(wolff_builder_add_triangles(b, "a", &layer), CONTACT, "2 dropped");
    layer.kind = WOLFF_LAYER_KIND_TO_ELEMENT_SURFACE;
    EXPECT(wolff_builder_add_triangles(b, "a", &layer), MISSING, "not available for triangles");
    layer.kind = WOLFF_LAYER_KIND_CONSTANT, layer.thickness = 0.008;
    EXPECT(wolff_builder_add_triangles(smooth, "a", &layer), MISSING, "no triangles");
    DONE(wolff_builder_add_grid(b, "medial", &grid, &layer));
    EXPECT(wolff_builder_add_grid(b, "medial", &grid, &layer), BAD_TEXT, "already a compartment `medial`");
    EXPECT(wolff_builder_add_triangles(b, "medial", &layer), BAD_TEXT, "already a compartment `medial`");
}

static void options(WolffBuilder *b) {
    EXPECT(wolff_builder_set_linear(NULL, 0, 1e6, 0.4, 0), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_set_linear(b, 2, 1e6, 0.4, 0), UNKNOWN_CHOICE, "`body`");
    EXPECT(wolff_builder_set_linear(b, 0, 1e6, 0.4, 9), UNKNOWN_CHOICE, "`strain`");
    EXPECT(wolff_builder_set_linear(b, 0, NAN, 0.4, 0), CONTACT, "Young");
    EXPECT(wolff_builder_set_linear(b, 0, 1e6, 0.5, 0), CONTACT, "Poisson");
    EXPECT(wolff_builder_set_nonlinear(NULL, 0, 0.06, 18e6, 3.0, 0.4, 0, 0), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_set_nonlinear(b, 0, 0.0, 18e6, 3.0, 0.4, 0, 0), CONTACT, "strain");
    EXPECT(wolff_builder_set_nonlinear(b, 0, 0.06, -1.0, 3.0, 0.4, 0, 0), CONTACT, "stress");
    EXPECT(wolff_builder_set_nonlinear(b, 0, 0.06, 18e6, 0.5, 0.4, 0, 0), CONTACT, "exponent");
    EXPECT(wolff_builder_set_nonlinear(b, 0, 0.06, 18e6, 3.0, 0.4, 3, 0), UNKNOWN_CHOICE, "`reading`");
    EXPECT(wolff_builder_set_damping(NULL, 0.0), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_set_damping(b, -1.0), CONTACT, "damping");
    EXPECT(wolff_builder_set_damping(b, NAN), CONTACT, "damping");
    EXPECT(wolff_builder_set_method(NULL, 0, 0, 0), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_set_method(b, 2, 0, 0), UNKNOWN_CHOICE, "`distance` is 2");
    EXPECT(wolff_builder_set_method(b, 0, 3, 0), UNKNOWN_CHOICE, "`along` is 3");
    EXPECT(wolff_builder_set_method(b, 0, 0, 2), UNKNOWN_CHOICE, "`rule` is 2");
    EXPECT(wolff_builder_set_friction(NULL, 0.3, 0.2, 0.1, 0.2), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_set_friction(b, 0.1, 0.2, 0.1, 0.2), CONTACT, "static");
    EXPECT(wolff_builder_set_friction(b, 0.3, 0.2, NAN, 0.2), CONTACT, "stiction");
    EXPECT(wolff_builder_set_reuse_within(NULL, 0.0), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_set_reuse_within(b, NAN), CONTACT, "reused");
    EXPECT(wolff_builder_set_moving_layer(NULL, 0.0), NULL_POINTER, "`builder`");
    EXPECT(wolff_builder_set_moving_layer(b, -0.001), CONTACT, "moving layer");
    {
        const double range[2] = {0.0, 1.0}, values[4] = {0.001, 0.001, 0.001, -0.001};
        const size_t counts[2] = {2, 2}, few[2] = {1, 2};
        EXPECT(wolff_builder_set_moving_layer_map(NULL, 0, range, range, counts, values), NULL_POINTER, "`builder`");
        EXPECT(wolff_builder_set_moving_layer_map(b, 0, NULL, range, counts, values), NULL_POINTER, "`u`");
        EXPECT(wolff_builder_set_moving_layer_map(b, 0, range, range, NULL, values), NULL_POINTER, "`counts`");
        EXPECT(wolff_builder_set_moving_layer_map(b, 0, range, range, counts, NULL), NULL_POINTER, "`values`");
        EXPECT(wolff_builder_set_moving_layer_map(b, 0, range, range, few, values), CONTACT, "at least two");
        EXPECT(wolff_builder_set_moving_layer_map(b, 0, range, range, counts, values), CONTACT, "thickness");
        EXPECT(wolff_builder_set_moving_layer_back(NULL, NULL, 0.01, 0.0, 3, NULL), NULL_POINTER, "`builder`");
        EXPECT(wolff_builder_set_moving_layer_back(b, NULL, 0.01, 0.0, 3, NULL), NULL_POINTER, "`back`");
    }
    EXPECT(wolff_builder_set_threads_from(NULL, 1), NULL_POINTER, "`builder`");
}

static void evaluation(WolffContact *c) {
    const double q[6] = {0.0, 0.0, 0.0298, 0.0, 0.0, 0.0}, u[6] = {0.0}, bad[6] = {0.0, 0.0, 0.03, 0.0, NAN, 0.0};
    double matrix[36], pressures[16];
    const char *name = NULL;
    size_t count = 0;
    WolffContact *copy = NULL;
    WolffContactResult result;
    WolffPatch patches[2];
    WolffElement geometry[16];
    EXPECT(wolff_contact_pressures(c, pressures, 16), MISSING, "wolff_contact_evaluate");
    EXPECT(wolff_contact_compartments(c, patches, 1), MISSING, "wolff_contact_evaluate");
    EXPECT(wolff_contact_evaluate(NULL, q, u, &result), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_evaluate(c, NULL, u, &result), NULL_POINTER, "`q`");
    EXPECT(wolff_contact_evaluate(c, q, NULL, &result), NULL_POINTER, "`u`");
    EXPECT(wolff_contact_evaluate(c, q, u, NULL), NULL_POINTER, "`result`");
    EXPECT(wolff_contact_evaluate(c, bad, u, &result), NOT_FINITE, "`q[4]`");
    EXPECT(wolff_contact_evaluate(c, q, bad, &result), NOT_FINITE, "`u[4]`");
    EXPECT(wolff_contact_derivatives(NULL, q, u, matrix, matrix), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_derivatives(c, NULL, u, matrix, matrix), NULL_POINTER, "`q`");
    EXPECT(wolff_contact_derivatives(c, q, NULL, matrix, matrix), NULL_POINTER, "`u`");
    EXPECT(wolff_contact_derivatives(c, q, u, NULL, matrix), NULL_POINTER, "`by_q`");
    EXPECT(wolff_contact_derivatives(c, q, u, matrix, NULL), NULL_POINTER, "`by_u`");
    EXPECT(wolff_contact_derivatives(c, q, bad, matrix, matrix), NOT_FINITE, "`u[4]`");
    EXPECT(wolff_contact_compartment_count(NULL, &count), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_compartment_count(c, NULL), NULL_POINTER, "`count`");
    EXPECT(wolff_contact_compartment_name(NULL, 0, &name), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_compartment_name(c, 0, NULL), NULL_POINTER, "`name`");
    EXPECT(wolff_contact_compartment_name(c, 1, &name), BAD_COUNT, "`index` is 1");
    EXPECT(wolff_contact_compartments(NULL, patches, 1), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_compartments(c, NULL, 1), NULL_POINTER, "`patches`");
    EXPECT(wolff_contact_compartments(c, patches, 2), BAD_COUNT, "must be 1");
    EXPECT(wolff_contact_element_count(NULL, &count), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_element_count(c, NULL), NULL_POINTER, "`count`");
    EXPECT(wolff_contact_pressures(NULL, pressures, 16), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_pressures(c, NULL, 16), NULL_POINTER, "`pressures`");
    EXPECT(wolff_contact_pressures(c, pressures, 15), BAD_COUNT, "must be 16");
    EXPECT(wolff_contact_element_geometry(NULL, geometry, 16), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_element_geometry(c, NULL, 16), NULL_POINTER, "`elements`");
    EXPECT(wolff_contact_element_geometry(c, geometry, 0), BAD_COUNT, "must be 16");
    EXPECT(wolff_contact_clone(NULL, &copy), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_clone(c, NULL), NULL_POINTER, "`copy`");

    /* after all that, the handle still works */
    DONE(wolff_contact_evaluate(c, q, u, &result));
    DONE(wolff_contact_clone(c, &copy));
    DONE(wolff_contact_compartment_count(copy, &count));
    EXPECT(count == 1 ? WOLFF_CODE_OK : WOLFF_CODE_INTERNAL, OK, "one compartment");
    DONE(wolff_contact_element_count(copy, &count));
    EXPECT(count == 16 ? WOLFF_CODE_OK : WOLFF_CODE_INTERNAL, OK, "sixteen elements");
    DONE(wolff_contact_compartment_name(copy, 0, &name));
    EXPECT(strcmp(name, "medial") == 0 ? WOLFF_CODE_OK : WOLFF_CODE_INTERNAL, OK, "its name");
    DONE(wolff_contact_compartments(copy, patches, 1));
    DONE(wolff_contact_pressures(copy, pressures, 16));
    DONE(wolff_contact_element_geometry(copy, geometry, 16));
    DONE(wolff_contact_derivatives(copy, q, u, matrix, matrix));
    DONE(wolff_contact_free(copy));
}

int main(void) {
    WolffSurface *ball = NULL, *plate = NULL;
    WolffBuilder *b = NULL, *smooth = NULL;
    WolffContact *c = NULL;
    EXPECT(wolff_last_error()[0] == '\0' ? WOLFF_CODE_OK : WOLFF_CODE_INTERNAL, OK, "no message yet");
    surfaces();
    DONE(wolff_surface_sphere(ORIGIN, 0.03, &ball));
    DONE(wolff_surface_triangles(SQUARE, 4, HALVES, 2, WOLFF_NORMALS_FACETS, &plate));
    EXPECT(wolff_builder_new(NULL, plate, &b), NULL_POINTER, "`moving`");
    EXPECT(wolff_builder_new(ball, NULL, &b), NULL_POINTER, "`fixed`");
    EXPECT(wolff_builder_new(ball, plate, NULL), NULL_POINTER, "`builder`");
    DONE(wolff_builder_new(ball, plate, &b));
    DONE(wolff_builder_new(plate, ball, &smooth));
    EXPECT(wolff_contact_build(NULL, &c), NULL_POINTER, "`builder`");
    EXPECT(wolff_contact_build(b, NULL), NULL_POINTER, "`contact`");
    EXPECT(wolff_contact_build(b, &c), MISSING, "no material");
    options(b);
    EXPECT(wolff_contact_build(b, &c), MISSING, "no material");
    DONE(wolff_builder_set_linear(b, WOLFF_BODY_FIXED, 463e6, 0.46, WOLFF_STRAIN_SMALL));
    EXPECT(wolff_contact_build(b, &c), MISSING, "no elements");
    elements(b, smooth, ball);
    DONE(wolff_contact_build(b, &c));
    DONE(wolff_builder_free(b));
    DONE(wolff_builder_free(smooth));
    DONE(wolff_builder_free(NULL));
    DONE(wolff_surface_free(plate));
    DONE(wolff_surface_free(ball));
    evaluation(c);
    DONE(wolff_contact_free(c));
    DONE(wolff_contact_free(NULL));
    printf("%d checks, %d failures\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
