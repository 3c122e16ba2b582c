package dev.treadle.cdi;

import java.util.List;

/**
 * What {@link TreadleCdiExtension} found when the application was deployed, or built. Made by the container.
 *
 * @param recurring the names of the types of beans with {@link dev.treadle.schedule.Recurring} methods
 */
public record FoundBeans(List<String> recurring) {
    public FoundBeans {
        recurring = List.copyOf(recurring);
    }
}
