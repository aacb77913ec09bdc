import type { Collection } from '../collections/collection.ts'

/** The new name or ID of a field; undefined if it no longer exists or is hidden. */
export type RenameField = (field: string) => string | undefined

/** The definition of a view kind's options. Fields in options are stored by ID and sent by name. */
export type ViewKindRules<Options> = {
  readonly defaults: Options
  /** Options stored by a browser or an older version; missing or invalid ones get their default. */
  readonly read: (stored: { readonly [option: string]: unknown }) => Options
  /** A field without a new name is left out. */
  readonly renameFields: (options: Options, rename: RenameField) => Options
  /** Why these options are invalid for the collection, as the option and a message. */
  readonly problem: (
    options: Options,
    collection: Collection,
  ) => { readonly option: keyof Options; readonly message: string } | null
}
