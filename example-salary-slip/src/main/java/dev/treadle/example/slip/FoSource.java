package dev.treadle.example.slip;

/** Turns a salary slip into XSL-FO, the page description that the renderer takes; safe for many threads at once. */
interface FoSource {

    /** The whole document for this slip, with its values escaped for XML. */
    String foFor(SalarySlip slip);
}
