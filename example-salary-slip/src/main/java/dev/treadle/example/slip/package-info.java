/** Salary slips: a made-up company's payroll, its Word template, and the PDF that goes to every employee. */
@NullMarked
package dev.treadle.example.slip;

import org.jspecify.annotations.NullMarked;
