package dev.treadle.example.slip;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Employees who are made up when they are asked for. */
final class MemoryEmployees implements EmployeeDirectory {
    private volatile int headcount;

    @Override
    public List<Long> ids() {
        return LongStream.rangeClosed(1, headcount).boxed().toList();
    }

    @Override
    public Optional<Employee> find(long id) {
        return id >= 1 && id <= headcount ? Optional.of(Employee.generated(id)) : Optional.empty();
    }

    @Override
    public void fill(int headcount) {
        this.headcount = headcount;
    }
}
