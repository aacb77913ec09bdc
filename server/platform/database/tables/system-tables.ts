import type { Generated } from 'kysely'
import type { AccountTables, IsoInstant, JsonText } from './account-tables.ts'

type WorkspaceTable = { name: string; value: string }

type CollectionTable = {
  id: string
  name: string
  label: string
  position: number
  title_field: string | null
  icon: string | null
  color: string | null
  group_name: string | null
  description: string | null
  rules: JsonText | null
  workflow: JsonText | null
  layout: JsonText | null
  version: number
}

type FieldTable = {
  id: string
  collection_id: string
  name: string
  label: string
  kind: string
  position: number
  required: number
  is_unique: number
  default_value: JsonText
  default_formula: string | null
  options: JsonText
  description: string | null
}

type ChangeTable = {
  id: string
  at: IsoInstant
  user_id: string | null
  kind: string
  collection_id: string | null
  record_id: string | null
  before: JsonText | null
  after: JsonText | null
  /** The comment entered for a workflow transition. */
  note: string | null
  /** null for most entries from before migration 31. */
  change_set_id: string | null
  record_meta: JsonText | null
  /** PostgreSQL only: the transaction that wrote it; 0 for entries from before migration 34. */
  transaction_id: Generated<string>
}

type ChangeSetTable = {
  id: string
  at: IsoInstant
  user_id: string | null
  /** How it was made; null for change sets of earlier versions. */
  via: string | null
  /** ID of the API token, import or job that made it. */
  source_id: string | null
  /** ID of the change set that it undoes. */
  undoes: string | null
  /** 1 if it deletes records and the links to them. */
  is_deletion: number
  idempotency_key: string | null
  /** Number of its log entries if all are of one kind and collection; null if they aren't, or haven't been counted. */
  entry_count: number | null
}

/** Deleted records that can be restored. */
type TrashTable = {
  record_id: string
  collection_id: string
  /** The log entry of the deletion, which contains the values. */
  entry_id: string
  change_set_id: string
  deleted_at: IsoInstant
}

/** Deleted fields and collections that can be restored, with their columns and tables. */
type DeletedDefinitionTable = {
  id: string
  collection_id: string
  definition: string
  deleted_at: IsoInstant
  deleted_by: string | null
}

type UploadTable = {
  id: string
  user_id: string
  collection_id: string
  field_id: string
  record_id: string | null
  name: string
  declared_type: string
  sniffed_type: string | null
  size: number
  /** Bytes durably stored, up to the last accepted chunk. */
  committed: number
  state: string
  created_at: IsoInstant
  expires_at: IsoInstant
}

/** Number of file references per blob; maintained by triggers. */
type StoredBlobTable = { hash: string; bytes: number; uses: number }

/** Total bytes of all blobs and of open uploads; maintained by triggers. */
type StorageUsageTable = { id: number; used: number; reserved: number }

type AssetTable = {
  id: string
  user_id: string | null
  hash: string
  name: string
  name_fold: string
  type: string
  /** Detected file extension with its dot; null if unknown, and for older files. */
  ending: string | null
  bytes: number
  width: number | null
  height: number | null
  created_at: IsoInstant
  collection_id: string
  field_id: string
  record_id: string | null
  taken_out_of: string | null
  /** When an unattached file expires; null once it is attached. */
  expires_at: IsoInstant | null
}

type BlobTable = {
  hash: string
  bytes: number
  used_at: IsoInstant
  /** When removal started; null if the blob can be used. */
  going_at: IsoInstant | null
  /** When a cleanup first found the blob unreferenced; null while it is referenced. */
  quarantined_at: IsoInstant | null
  quarantine_day: number | null
}

type ImportTable = {
  id: string
  user_id: string | null
  file_name: string
  bytes: number
  state: string
  collection_id: string | null
  /** 1 if the import created the collection, which is then deleted if the import fails. */
  made_collection: number
  preview: JsonText | null
  progress: JsonText
  failure: string | null
  created_at: IsoInstant
  ended_at: IsoInstant | null
}

type ImportChangeTable = {
  import_id: string
  record_id: string
  row_number: number
  before: JsonText
  after: JsonText
  version: number | null
  updated_at: IsoInstant | null
  updated_by: string | null
}

type TourTable = {
  user_id: string
  tour: string
  version: number
  state: string
  step: number
  at: IsoInstant
}

type MigrationTable = { number: number; name: string; at: IsoInstant }

type SearchPartTable = {
  id: string
  collection_id: string
  fields: string
  /** First and last row number that still need indexing; stored as text, because they can exceed 2^53. */
  gap_from: string | null
  gap_to: string | null
  /** When the index became unused; it is dropped once no statement can be using it. */
  retired_at: IsoInstant | null
  /** Since when it keeps the entries of deleted rows. */
  discarded_at: Generated<IsoInstant | null>
}

/** SQLite only: records whose texts changed after they were indexed. */
type SearchPendingTable = {
  collection_id: string
  /** The row number; it can exceed 2^53, so it is never read. */
  seq: string
  /** The only index whose texts have changed; if empty, all of them. */
  part_id: string | null
}

type AutoNumberTable = { field_id: string; last: number }

type IndexTable = {
  id: string
  collection_id: string
  spec: JsonText
  state: string
  made_at: IsoInstant
  used_at: IsoInstant
}

type JobTable = {
  id: string
  user_id: string | null
  collection_id: string
  state: string
  task: JsonText
  total: number | null
  done: number
  last_record: string | null
  runner: JsonText | null
  alive_at: IsoInstant
  failure: string | null
  lost: number | null
  refused: JsonText | null
  created_at: IsoInstant
  ended_at: IsoInstant | null
}

type KindChangeTable = {
  collection_id: string
  job_id: string
  field_id: string
  /** Field ID of the shadow columns that contain the converted values. */
  shadow_id: string
  spec: JsonText
}

type ViewTable = {
  id: string
  collection_id: string
  owner_id: string
  name: string
  is_shared: number
  is_locked: number
  position: number
  content: JsonText
  version: number
  created_at: IsoInstant
  updated_at: IsoInstant
}

type DashboardTable = {
  id: string
  owner_id: string
  name: string
  is_shared: number
  position: number
  items: JsonText
  version: number
  created_at: IsoInstant
  updated_at: IsoInstant
  deleted_at: IsoInstant | null
}

type ViewPositionTable = { view_id: string; record_id: string; order_key: string }

type FirstViewTable = { user_id: string; collection_id: string; view_id: string }

type FavoriteTable = {
  id: string
  user_id: string
  collection_id: string
  view_id: string | null
  record_id: string | null
  position: number
}

type RollupTable = {
  field_id: string
  collection_id: string
  /** What the stored values were calculated from. */
  signature: string
  /** The last recalculated record; null if the values are current. */
  cursor: string | null
  until: string | null
  is_again: number
  is_canceled: number
  done: number
  total: number | null
  /** Whether only the dependents of `rollup_inputs` are recalculated. */
  is_partial: number
}

type RollupInputTable = {
  field_id: string
  level: number
  record_id: string
  /** The last recalculated dependent. */
  cursor: string
}

export type SystemTables = AccountTables & {
  migrations: MigrationTable
  workspace: WorkspaceTable
  collections: CollectionTable
  fields: FieldTable
  changes: ChangeTable
  change_sets: ChangeSetTable
  trash: TrashTable
  deleted_definitions: DeletedDefinitionTable
  uploads: UploadTable
  assets: AssetTable
  stored_blobs: StoredBlobTable
  storage_usage: StorageUsageTable
  blobs: BlobTable
  imports: ImportTable
  import_changes: ImportChangeTable
  tours: TourTable
  indexes: IndexTable
  search_parts: SearchPartTable
  search_pending: SearchPendingTable
  auto_numbers: AutoNumberTable
  jobs: JobTable
  kind_changes: KindChangeTable
  views: ViewTable
  view_positions: ViewPositionTable
  first_views: FirstViewTable
  dashboards: DashboardTable
  favourites: FavoriteTable
  rollups: RollupTable
  rollup_inputs: RollupInputTable
}
