import type { Dialect, DialectTypes } from '#server/platform/database/database.ts'

export const fileTables = ({ text, integer }: DialectTypes): readonly string[] => [
  // Upload and asset rows are kept when their collection is deleted, so that the cleanup can find the stored bytes.
  `create table uploads (
    id ${text} primary key not null,
    user_id ${text} not null references users (id) on delete cascade,
    collection_id ${text} not null,
    field_id ${text} not null,
    record_id ${text},
    name ${text} not null,
    declared_type ${text} not null,
    size ${integer} not null,
    committed ${integer} not null,
    state ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    sniffed_type ${text}
  )`,
  'create index uploads_user on uploads (user_id)',
  'create index uploads_expiry on uploads (expires_at)',
  `create table assets (
    id ${text} primary key not null,
    user_id ${text} references users (id) on delete set null,
    hash ${text} not null,
    name ${text} not null,
    name_fold ${text} not null,
    type ${text} not null,
    bytes ${integer} not null,
    width ${integer},
    height ${integer},
    created_at ${text} not null,
    collection_id ${text} not null,
    field_id ${text} not null,
    record_id ${text},
    expires_at ${text},
    ending ${text},
    taken_out_of ${text}
  )`,
  'create index assets_hash on assets (hash)',
  'create index assets_user on assets (user_id) where user_id is not null',
  'create index assets_record on assets (record_id) where record_id is not null',
  'create index assets_expiry on assets (expires_at) where expires_at is not null',
  'create index assets_field on assets (field_id)',
  // One row per blob, so that all servers agree on which blobs are being deleted.
  `create table blobs (
    hash ${text} primary key not null,
    bytes ${integer} not null,
    used_at ${text} not null,
    going_at ${text},
    quarantined_at ${text},
    quarantine_day ${integer}
  )`,
  'create index blobs_in_quarantine on blobs (hash) where quarantined_at is not null',
  // Storage usage in bytes, maintained by triggers; a blob shared by several files is counted once.
  `create table stored_blobs (hash ${text} primary key not null, bytes ${integer} not null, uses ${integer} not null)`,
  `create table storage_usage (
    id ${integer} primary key not null,
    used ${integer} not null,
    reserved ${integer} not null
  )`,
  'insert into storage_usage (id, used, reserved) values (1, 0, 0)',
]

/** Usage is counted by triggers, because deleting a user also deletes files and uploads. */
export const usageTriggers = (dialect: Dialect): readonly string[] =>
  dialect === 'sqlite' ? SQLITE_USAGE_TRIGGERS : POSTGRES_USAGE_TRIGGERS

// These triggers have no conflict clauses, because SQLite would apply the clause of the statement that fired the
// trigger.
const SQLITE_USAGE_TRIGGERS = [
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

// Each function locks the usage row first, so that concurrent writes can't deadlock.
const POSTGRES_USAGE_TRIGGERS = [
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
