import type { Filter } from '#domain/query/filter/filter.ts'
import type { NamedValues } from '#domain/records/check-values.ts'
import type { OptionId, RecordId } from '#domain/shared/ids.ts'

export type KindChangeTask = {
  readonly does: 'change-field'
  readonly collection: string
  readonly field: string
}

export type RestoreTask = {
  readonly does: 'restore'
  readonly collection: string
  readonly changeSet: string
  readonly at: string
}

export type Task = {
  readonly does: 'update' | 'delete' | 'transition'
  readonly collection: string
  readonly words: { readonly filter?: string | Filter | undefined; readonly search?: string | undefined }
  readonly except: readonly RecordId[]
  readonly move?: { readonly to: OptionId; readonly note?: string | undefined }
  readonly values: NamedValues
  readonly add?: NamedValues
  readonly take?: NamedValues
  readonly most?: number
  readonly at: string
}
