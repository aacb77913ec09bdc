import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ListSettings } from './list-settings.ts'

/** A list, how it is shown, and the way to change that. */
export type ListSettingsProps = {
  readonly collection: TypedCollection
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
}
