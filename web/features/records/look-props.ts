import type { KnownCollection } from '#web/fields/known-field.ts'
import type { ListLook } from './grid-layout.ts'

/** A list, how it is shown, and the way to change that. */
export type LookProps = {
  readonly collection: KnownCollection
  readonly look: ListLook
  readonly onLook: (look: Partial<ListLook>) => void
}
