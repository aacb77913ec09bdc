import type { TypedCollection } from '#web/fields/known-field.ts'
import type { ListSettings } from './grid-layout.ts'

/** A list, how it is shown, and the way to change that. */
export type ListSettingsProps = {
  readonly collection: TypedCollection
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
}
