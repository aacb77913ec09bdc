import type { Filter } from '#domain/query/filter/filter.ts'
import type { NamedValues } from '#domain/records/check-values.ts'
import type { OptionId, RecordId } from '#domain/shared/ids.ts'

/** Changes a field's kind; progress is stored with the job. */
export type KindChangeTask = {
  readonly does: 'change-field'
  /** Ids of the collection and of the field. */
  readonly collection: string
  readonly field: string
}

/** A deletion is undone. */
export type RestoreTask = {
  readonly does: 'restore'
  /** Id of the collection. */
  readonly collection: string
  /** The change set of the deletion. */
  readonly changeSet: string
  /** The instant it was asked for. */
  readonly at: string
}

/** What is done to every record a query finds. */
export type Task = {
  readonly does: 'update' | 'delete' | 'transition'
  /** Id of the collection. */
  readonly collection: string
  /** The query, as it was said. */
  readonly words: { readonly filter?: string | Filter | undefined; readonly search?: string | undefined }
  /** Records that stay as they are. */
  readonly except: readonly RecordId[]
  /** Where they are taken, for a transition: a state by its id, and what is noted. */
  readonly move?: { readonly to: OptionId; readonly note?: string | undefined }
  /** What they get; nothing where they are deleted or moved. */
  readonly values: NamedValues
  /** Values added to and removed from list fields. */
  readonly add?: NamedValues
  readonly take?: NamedValues
  /** Most records it may change. */
  readonly most?: number
  /** The instant it was said. */
  readonly at: string
}
