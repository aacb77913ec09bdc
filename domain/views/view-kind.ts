import type { Collection } from '../collections/collection.ts'

/** New name or ID of a field; undefined if the field no longer exists or is hidden. */
export type RenameField = (field: string) => string | undefined

/** Definition of a view type's options. Fields in options are stored by ID and sent by name. */
export type ViewKindRules<Options> = {
  /** Options of a new view of the collection; null if its fields don't allow this type. */
  readonly startFor: (collection: Pick<Collection, 'fields'>) => Options | null
  /** Parses options stored by a browser or an older version; missing or invalid options use their defaults. */
  readonly read: (stored: { readonly [option: string]: unknown }) => Options
  /** Omits fields without a new name. */
  readonly renameFields: (options: Options, rename: RenameField) => Options
  /** Reason that the options are invalid for the collection: the option and a message. */
  readonly problem: (
    options: Options,
    collection: Collection,
  ) => { readonly option: keyof Options; readonly message: string } | null
}
