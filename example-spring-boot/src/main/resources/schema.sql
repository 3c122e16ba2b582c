create table if not exists shop_order (
    id          varchar(36)  not null primary key,
    item        varchar(100) not null,
    pieces      int          not null,
    receipt_job varchar(36)  not null,
    receipts    int          not null,
    packed      int          not null
);
