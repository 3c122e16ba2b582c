package dev.treadle.example.slip;

import org.apache.fop.events.Event;
import org.apache.fop.events.EventFormatter;
import org.apache.fop.events.EventListener;
import org.apache.fop.events.model.EventSeverity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears what FOP finds wrong with one page: defects are logged with the slip they are on, and errors stop it. */
final class PageDefects implements EventListener {

    private static final Logger LOG = LoggerFactory.getLogger(PageDefects.class);

    private final String reference;

    PageDefects(String reference) {
        this.reference = reference;
    }

    @Override
    public void processEvent(Event event) {
        EventSeverity severity = event.getSeverity();
        if (severity == EventSeverity.INFO) {
            return;
        }
        String defect = EventFormatter.format(event);
        if (severity == EventSeverity.WARN) {
            LOG.warn("Slip {}: {}", reference, defect);
        } else {
            throw new IllegalStateException("slip " + reference + ": " + defect);
        }
    }
}
