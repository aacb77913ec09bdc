import type { AccountTables } from './account-tables.ts'
import type { IsoInstant, JsonText } from './column-types.ts'

/** Facts of the workspace: one row each. */
type WorkspaceTable = { name: string; value: string }

type CollectionTable = {
  id: string
  name: string
  label: string
  position: number
  title_field: string | null
  /** null: a folder. */
  icon: string | null
  color: string | null
  /** null: it stands in none. */
  group_name: string | null
  /** null: none. */
  rules: JsonText | null
  /** null: none. */
  workflow: JsonText | null
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
  options: JsonText
}

/** The append-only log of every write: who, when, what, before, after. */
type ChangeTable = {
  id: string
  at: IsoInstant
  /** null: the program itself. */
  user_id: string | null
  /** `record-created`, `record-changed`, `record-deleted`, `collection-…`, `records-imported`, … */
  kind: string
  collection_id: string | null
  record_id: string | null
  before: JsonText | null
  after: JsonText | null
  /** What somebody wrote about it: at a move of a record. */
  note: string | null
  /** Groups the entries of one deletion; null for every other write. */
  change_set_id: string | null
  /** Of a deleted record: version, times, users and import. */
  record_meta: JsonText | null
}

type UploadTable = {
  id: string
  user_id: string
  collection_id: string
  field_id: string
  record_id: string | null
  name: string
  declared_type: string
  /** As its first bytes look; null before they are there. */
  sniffed_type: string | null
  /** Bytes in all, as declared. */
  size: number
  /** Bytes safely stored up to the last accepted chunk. */
  committed: number
  /** `open`, `ready`, `failed`. */
  state: string
  created_at: IsoInstant
  expires_at: IsoInstant
}

/** Blobs that files stand on; triggers keep it. */
type StoredBlobTable = { hash: string; bytes: number; uses: number }

/** One row with the bytes of all blobs, and those announced by open uploads; triggers keep it. */
type StorageUsageTable = { id: number; used: number; reserved: number }

type AssetTable = {
  id: string
  user_id: string | null
  /** SHA-256 of the bytes, hex; names the blob. */
  hash: string
  name: string
  /** The folded name: what search and filters on files compare. */
  name_fold: string
  /** As sniffed from the bytes. */
  type: string
  /** With its point, as sniffed; null where the bytes tell none, and of files from before it was kept. */
  ending: string | null
  bytes: number
  width: number | null
  height: number | null
  created_at: IsoInstant
  /** The field of the record that holds it; null until it is attached. */
  collection_id: string
  field_id: string
  record_id: string | null
  /** The record it was last taken out of; null while one holds it. */
  taken_out_of: string | null
  /** When an unattached file goes away; null once attached. */
  expires_at: IsoInstant | null
}

type BlobTable = {
  /** SHA-256 of the bytes, hex. */
  hash: string
  bytes: number
  /** When somebody last published it, or began to. */
  used_at: IsoInstant
  /** Since when it is being removed; null as long as it may be used. */
  going_at: IsoInstant | null
  /** Since when no file refers to it, as far as sweeps saw; null while one does. */
  quarantined_at: IsoInstant | null
  /** How many days sweeps had run on by then. */
  quarantine_day: number | null
}

type ImportTable = {
  id: string
  user_id: string | null
  file_name: string
  bytes: number
  /** `ready`, `running`, `done`, `failed`, `cancelled`, `undoing`. */
  state: string
  collection_id: string | null
  /** 1 when the import made the collection, which goes away again if it fails. */
  made_collection: number
  preview: JsonText | null
  progress: JsonText
  failure: string | null
  created_at: IsoInstant
  ended_at: IsoInstant | null
}

/** What an import changes in a record that was there before. */
type ImportChangeTable = {
  import_id: string
  record_id: string
  /** The row of the file it comes from. */
  row_number: number
  before: JsonText
  after: JsonText
  /** The version the record got by it; null as long as it is not written. */
  version: number | null
  /** Who changed the record last before, and when. */
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

/** Which steps our own tables have taken. */
type MigrationTable = { number: number; name: string; at: IsoInstant }

type SearchPartTable = {
  id: string
  collection_id: string
  /** Ids of the fields whose texts it holds, comma-separated. */
  fields: string
  /** The first and the last number of the records it has still to take in; they are text as they are beyond 2^53. */
  gap_from: string | null
  gap_to: string | null
  /** Since when nobody asks it any more; it is removed once no statement can be under way in it. */
  retired_at: IsoInstant | null
}
/** The last number a field has counted up to; a field without a row has given none. */
type AutoNumberTable = { field_id: string; last: number }

type IndexTable = {
  id: string
  collection_id: string
  /** What it holds, as `IndexSpec`. */
  spec: JsonText
  /** `building` or `ready`. */
  state: string
  made_at: IsoInstant
  used_at: IsoInstant
}

/** What goes on in batches beside the requests. */
type JobTable = {
  id: string
  user_id: string | null
  collection_id: string
  /** `running`, `done`, `failed`, `cancelled`. */
  state: string
  /** What it does to which records, and for whom. */
  task: JsonText
  /** How many records there were when it began; null until they are counted. */
  total: number | null
  done: number
  /** The last record it has looked at; records come in the order of ids. */
  last_record: string | null
  /** The program that carries it out. */
  runner: JsonText | null
  /** When that program last said that it is at it. */
  alive_at: IsoInstant
  failure: string | null
  /** How many values it had to leave behind; null where it leaves none, or is not that far. */
  lost: number | null
  /** Records it left as they are, and why; null where there are none. */
  refused: JsonText | null
  created_at: IsoInstant
  ended_at: IsoInstant | null
}

/** A change of a field's kind under way. */
type KindChangeTable = {
  collection_id: string
  job_id: string
  field_id: string
  /** Under this id of a field the converted values stand until they take the place of the old ones. */
  shadow_id: string
  /** What the field becomes. */
  spec: JsonText
}

type ViewTable = {
  id: string
  collection_id: string
  owner_id: string
  name: string
  is_shared: number
  is_locked: number
  /** Among the shared views of a collection, or among its owner's own. */
  position: number
  /** What it shows, as `ViewContent`. */
  content: JsonText
  version: number
  created_at: IsoInstant
  updated_at: IsoInstant
}

/** Which view of a collection opens first for somebody. */
type FirstViewTable = { user_id: string; collection_id: string; view_id: string }

/** What somebody keeps at hand: a collection, or the view or the record of it that is named. */
type FavoriteTable = {
  id: string
  user_id: string
  collection_id: string
  view_id: string | null
  record_id: string | null
  position: number
}

/** Our own tables. */
export type SystemTables = AccountTables & {
  migrations: MigrationTable
  workspace: WorkspaceTable
  collections: CollectionTable
  fields: FieldTable
  changes: ChangeTable
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
  auto_numbers: AutoNumberTable
  jobs: JobTable
  kind_changes: KindChangeTable
  views: ViewTable
  first_views: FirstViewTable
  favourites: FavoriteTable
}
