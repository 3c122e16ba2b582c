package dev.treadle.dashboard.api;

import dev.treadle.job.Job;
import dev.treadle.storage.admin.JobQuery;
import java.util.List;
import java.util.Locale;

/**
 * Which jobs are meant. The storage looks for what is stored; words that occur only in the code's own names are looked for
 * here, in what it finds.
 *
 * @param stored what the storage looks for
 * @param words  what else has to occur in the name of a job or of what it calls
 */
record Filter(JobQuery stored, List<String> words, StoredNames names) {
    static Filter of(JobQuery asked, StoredNames names) {
        List<String> words = asked.types().stream().filter(names::isOfCode).toList();
        JobQuery stored = asked.withAnyType();
        for (String word : asked.types()) {
            stored = words.contains(word) ? stored : stored.withType(word);
        }
        return new Filter(stored, words, names);
    }

    boolean isMeant(Job job) {
        if (words.isEmpty()) {
            return true;
        }
        String name = job.traits().name();
        String all = StoredNames.searched(job.invocation().target()) + " "
                + StoredNames.searched(names.here().apply(job.invocation()).target()) + " "
                + (name == null ? "" : name.toLowerCase(Locale.ROOT));
        return words.stream().allMatch(word -> all.contains(word.toLowerCase(Locale.ROOT)));
    }
}
