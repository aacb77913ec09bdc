import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * The first form of our own tables. Collections, fields and records are known by opaque ids; the tables that hold
 * records are made when a collection is. A log entry outlives what it speaks of, so `changes` refers to nothing.
 */
export const start: Migration = {
  number: 1,
  name: 'start',
  apply: async (transaction, { text, integer }) => {
    const statements = [...people(text, integer), ...definitions(text, integer), ...files(text, integer)]
    await runStatements(transaction, statements)
  },
}

const people = (text: string, integer: string): string[] => [
  `create table workspace (
    name ${text} primary key not null,
    value ${text} not null
  )`,
  // Counts up with every change of a definition. It stands from the start, so that a write can always hold it still.
  `insert into workspace (name, value) values ('definitions-version', '0')`,
  `create table users (
    id ${text} primary key not null,
    email ${text} not null,
    email_fold ${text} not null unique,
    name ${text} not null,
    role ${text} not null,
    password_hash ${text} not null,
    created_at ${text} not null,
    disabled_at ${text}
  )`,
  `create table sessions (
    id ${text} primary key not null,
    user_id ${text} not null references users (id) on delete cascade,
    kind ${text} not null check (kind in ('browser', 'api')),
    counter ${integer} not null,
    refresh_key ${text} not null,
    rotated_at ${text} not null,
    successor_seen ${integer} not null,
    created_at ${text} not null,
    used_at ${text} not null,
    idle_ends_at ${text} not null,
    ends_at ${text} not null,
    ended_at ${text},
    end_reason ${text},
    user_agent ${text} not null,
    address ${text} not null
  )`,
  'create index sessions_user on sessions (user_id)',
  `create table tours (
    user_id ${text} not null references users (id) on delete cascade,
    tour ${text} not null,
    version ${integer} not null,
    state ${text} not null,
    step ${integer} not null,
    at ${text} not null,
    primary key (user_id, tour)
  )`,
]

const definitions = (text: string, integer: string): string[] => [
  `create table collections (
    id ${text} primary key not null,
    name ${text} not null unique,
    label ${text} not null,
    position ${integer} not null,
    title_field ${text},
    version ${integer} not null
  )`,
  `create table fields (
    id ${text} primary key not null,
    collection_id ${text} not null references collections (id) on delete cascade,
    name ${text} not null,
    label ${text} not null,
    kind ${text} not null,
    position ${integer} not null,
    required ${integer} not null,
    is_unique ${integer} not null,
    default_value ${text} not null,
    options ${text} not null,
    unique (collection_id, name)
  )`,
  `create table changes (
    id ${text} primary key not null,
    at ${text} not null,
    user_id ${text},
    kind ${text} not null,
    collection_id ${text},
    record_id ${text},
    before ${text},
    after ${text}
  )`,
  // The history of one record, and of one collection; ids sort in the order of their making.
  'create index changes_record on changes (record_id, id) where record_id is not null',
  'create index changes_collection on changes (collection_id, id) where collection_id is not null',
]

/** Bytes on the disk hang on uploads and assets, so neither vanishes with a collection: each is swept when its time ends. */
const files = (text: string, integer: string): string[] => [
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
    expires_at ${text} not null
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
    expires_at ${text}
  )`,
  'create index assets_hash on assets (hash)',
  'create index assets_user on assets (user_id) where user_id is not null',
  'create index assets_record on assets (record_id) where record_id is not null',
  'create index assets_expiry on assets (expires_at) where expires_at is not null',
  `create table imports (
    id ${text} primary key not null,
    user_id ${text} references users (id) on delete set null,
    file_name ${text} not null,
    bytes ${integer} not null,
    state ${text} not null,
    collection_id ${text},
    made_collection ${integer} not null,
    preview ${text},
    progress ${text} not null,
    failure ${text},
    created_at ${text} not null,
    ended_at ${text}
  )`,
  'create index imports_state on imports (state)',
  'create index imports_user on imports (user_id) where user_id is not null',
]
