import type { DialectTypes } from '#server/platform/database/database.ts'

export const recordTables = (types: DialectTypes): readonly string[] => [
  ...collectionTables(types),
  ...jobTables(types),
  ...indexTables(types),
]

const collectionTables = ({ text, integer }: DialectTypes): readonly string[] => [
  `create table collections (
    id ${text} primary key not null,
    name ${text} not null unique,
    label ${text} not null,
    position ${integer} not null,
    title_field ${text},
    version ${integer} not null,
    rules ${text},
    workflow ${text},
    icon ${text},
    color ${text},
    group_name ${text}
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
  `create table views (
    id ${text} primary key not null,
    collection_id ${text} not null,
    owner_id ${text} not null,
    name ${text} not null,
    is_shared ${integer} not null,
    is_locked ${integer} not null,
    position ${integer} not null,
    content ${text} not null,
    version ${integer} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  'create index views_of_collection on views (collection_id, is_shared, owner_id)',
  `create table first_views (
    user_id ${text} not null,
    collection_id ${text} not null,
    view_id ${text} not null,
    primary key (user_id, collection_id)
  )`,
  'create index first_views_view on first_views (view_id)',
  // Without foreign keys, because an entry is kept after its record or user is deleted.
  `create table changes (
    id ${text} primary key not null,
    at ${text} not null,
    user_id ${text},
    kind ${text} not null,
    collection_id ${text},
    record_id ${text},
    before ${text},
    after ${text},
    note ${text},
    change_set_id ${text},
    record_meta ${text}
  )`,
  'create index changes_record on changes (record_id, id) where record_id is not null',
  'create index changes_collection on changes (collection_id, id) where collection_id is not null',
  'create index changes_change_set on changes (change_set_id, id) where change_set_id is not null',
  `create table auto_numbers (field_id ${text} primary key not null, last ${integer} not null)`,
]

const jobTables = ({ text, integer }: DialectTypes): readonly string[] => [
  `create table kind_changes (
    collection_id ${text} primary key not null,
    job_id ${text} not null unique,
    field_id ${text} not null,
    shadow_id ${text} not null,
    spec ${text} not null
  )`,
  `create table jobs (
    id ${text} primary key not null,
    user_id ${text},
    collection_id ${text} not null,
    state ${text} not null,
    task ${text} not null,
    total ${integer},
    done ${integer} not null,
    last_record ${text},
    runner ${text},
    alive_at ${text} not null,
    failure ${text},
    created_at ${text} not null,
    ended_at ${text},
    lost ${integer},
    refused ${text}
  )`,
  'create index jobs_state on jobs (state)',
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
  // Changes that an import makes to existing records: staged first, then written in batches. Also used to undo the
  // import.
  `create table import_changes (
    import_id ${text} not null references imports (id) on delete cascade,
    record_id ${text} not null,
    row_number ${integer} not null,
    before ${text} not null,
    after ${text} not null,
    version ${integer},
    updated_at ${text},
    updated_by ${text},
    primary key (import_id, record_id)
  )`,
  'create index import_changes_record on import_changes (record_id)',
]

const indexTables = ({ text }: DialectTypes): readonly string[] => [
  // Indexes created by the server, named `x_` followed by their ID.
  `create table indexes (
    id ${text} primary key not null,
    collection_id ${text} not null references collections (id) on delete cascade,
    spec ${text} not null,
    state ${text} not null check (state in ('building', 'ready')),
    made_at ${text} not null,
    used_at ${text} not null,
    unique (collection_id, spec)
  )`,
  // Full-text indexes on SQLite, each with the range of records that aren't indexed yet.
  `create table search_parts (
    id ${text} primary key not null,
    collection_id ${text} not null references collections (id) on delete cascade,
    fields ${text} not null,
    gap_from ${text},
    gap_to ${text},
    retired_at ${text}
  )`,
  'create index search_parts_collection on search_parts (collection_id)',
]
