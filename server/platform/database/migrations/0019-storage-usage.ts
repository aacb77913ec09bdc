import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * How many bytes files take, counted with every change, so that nobody adds up a million of them to know whether one more
 * fits. Bytes that several files share count once. Triggers keep the figures: a file or an upload may go with its user too.
 */
export const storageUsage: Migration = {
  number: 19,
  name: 'storage-usage',
  apply: async (transaction, { text, integer }) => {
    await runStatements(transaction, [
      `alter table uploads add column sniffed_type ${text}`,
      `alter table assets add column ending ${text}`,
      `create table stored_blobs (hash ${text} primary key not null, bytes ${integer} not null, uses ${integer} not null)`,
      `create table storage_usage (id ${integer} primary key not null, used ${integer} not null, reserved ${integer} not null)`,
      'insert into stored_blobs (hash, bytes, uses) select hash, max(bytes), count(*) from assets group by hash',
      `insert into storage_usage (id, used, reserved) select 1,
        coalesce((select sum(bytes) from stored_blobs), 0),
        coalesce((select sum(size) from uploads where state = 'open'), 0)`,
    ])
    await runStatements(transaction, transaction.dialect === 'sqlite' ? SQLITE_COUNTS : POSTGRES_COUNTS)
  },
}

// No statement of a trigger says what to do on conflict: SQLite would have the one that set it off decide.
const SQLITE_COUNTS = [
  `create trigger assets_count_in after insert on assets begin
    update storage_usage set used = used + new.bytes where not exists (select 1 from stored_blobs where hash = new.hash);
    insert into stored_blobs (hash, bytes, uses) select new.hash, new.bytes, 0
      where not exists (select 1 from stored_blobs where hash = new.hash);
    update stored_blobs set uses = uses + 1 where hash = new.hash;
  end`,
  `create trigger assets_count_out after delete on assets begin
    update stored_blobs set uses = uses - 1 where hash = old.hash;
    update storage_usage set used = used - old.bytes
      where exists (select 1 from stored_blobs where hash = old.hash and uses < 1);
    delete from stored_blobs where hash = old.hash and uses < 1;
  end`,
  `create trigger uploads_count_in after insert on uploads when new.state = 'open' begin
    update storage_usage set reserved = reserved + new.size;
  end`,
  `create trigger uploads_count_on after update of state on uploads
    when old.state = 'open' and new.state <> 'open' begin
    update storage_usage set reserved = reserved - old.size;
  end`,
  `create trigger uploads_count_out after delete on uploads when old.state = 'open' begin
    update storage_usage set reserved = reserved - old.size;
  end`,
]

// The one row of the usage is taken first, in every case: those who count wait for one another there and nowhere else.
const POSTGRES_COUNTS = [
  `create function count_asset() returns trigger language plpgsql as $$
    declare uses_now bigint;
    begin
      perform 1 from storage_usage for update;
      if tg_op = 'INSERT' then
        insert into stored_blobs as known (hash, bytes, uses) values (new.hash, new.bytes, 1)
          on conflict (hash) do update set uses = known.uses + 1 returning uses into uses_now;
        if uses_now = 1 then update storage_usage set used = used + new.bytes; end if;
      else
        update stored_blobs set uses = uses - 1 where hash = old.hash returning uses into uses_now;
        if uses_now < 1 then
          delete from stored_blobs where hash = old.hash;
          update storage_usage set used = used - old.bytes;
        end if;
      end if;
      return null;
    end $$`,
  `create trigger assets_count after insert or delete on assets for each row execute function count_asset()`,
  `create function count_upload() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then update storage_usage set reserved = reserved + new.size;
      else update storage_usage set reserved = reserved - old.size;
      end if;
      return null;
    end $$`,
  `create trigger uploads_count_in after insert on uploads for each row
    when (new.state = 'open') execute function count_upload()`,
  `create trigger uploads_count_on after update on uploads for each row
    when (old.state = 'open' and new.state <> 'open') execute function count_upload()`,
  `create trigger uploads_count_out after delete on uploads for each row
    when (old.state = 'open') execute function count_upload()`,
]
