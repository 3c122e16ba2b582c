package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Invocation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names made of calls and arguments. */
class ChosenArgumentsTest {
    private static Invocation request(String json) {
        return new Invocation("com.acme.Index", null, json);
    }

    private static Invocation call(String json) {
        return new Invocation("com.acme.Slips", "generate(long,java.lang.String)", json);
    }

    @Test
    void the_chosen_values_count_and_no_others() {
        String one = ChosenArguments.name(request("{\"id\":1,\"at\":\"x\"}"), List.of("id"));

        assertEquals(one, ChosenArguments.name(request("{\"at\":\"y\",\"id\":1}"), List.of("id")));
        assertNotEquals(one, ChosenArguments.name(request("{\"id\":2,\"at\":\"x\"}"), List.of("id")));
        assertNotEquals(one, ChosenArguments.name(request("{\"id\":\"1\",\"at\":\"x\"}"), List.of("id")));
    }

    @Test
    void positions_choose_the_arguments_of_a_call() {
        String first = ChosenArguments.name(call("[1,\"a\"]"), List.of("0"));

        assertEquals(first, ChosenArguments.name(call("[1,\"b\"]"), List.of("0")));
        assertNotEquals(first, ChosenArguments.name(call("[1,\"a\"]"), List.of("1")));
        assertNotEquals(first, ChosenArguments.name(call("[1,\"a\"]"), null));
    }

    @Test
    void no_argument_means_one_per_target() {
        assertEquals(
                ChosenArguments.name(call("[1,\"a\"]"), List.of()), ChosenArguments.name(call("[2,\"b\"]"), List.of()));
        assertNotEquals(ChosenArguments.name(call("[1]"), List.of()), ChosenArguments.name(request("{}"), List.of()));
    }

    @Test
    void every_digit_of_a_number_counts() {
        assertNotEquals(
                ChosenArguments.name(request("{\"amount\":12345678901234567890.10}"), List.of("amount")),
                ChosenArguments.name(request("{\"amount\":12345678901234567890.12}"), List.of("amount")));
        assertNotEquals(
                ChosenArguments.name(call("[1.10]"), List.of("0")), ChosenArguments.name(call("[1.1]"), List.of("0")));
    }

    @Test
    void what_is_not_there_is_refused_and_what_is_there_is_named() {
        IllegalArgumentException field = assertThrows(
                IllegalArgumentException.class, () -> ChosenArguments.name(request("{\"id\":1}"), List.of("ID")));
        IllegalArgumentException position = assertThrows(
                IllegalArgumentException.class, () -> ChosenArguments.name(call("[1,\"a\"]"), List.of("2")));

        assertTrue(String.valueOf(field.getMessage()).contains("[id]"), field::getMessage);
        assertTrue(String.valueOf(position.getMessage()).contains("0 to 1"), position::getMessage);
    }
}
