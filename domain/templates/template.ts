import type { FieldDraft } from '../collections/check-field.ts'
import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import type { OptionColor } from '../fields/field.ts'
import type { NoteRequirement } from '../workflow/workflow.ts'

/** A field of a template; what it does not say is as in a field that is made by hand. */
export type TemplateField = Pick<FieldDraft, 'label' | 'kind'> & Partial<FieldDraft>

/** A move between two states, by their names. */
export type TemplateTransition = {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly note?: NoteRequirement
}

/** What a state asks, fields by their names. */
export type TemplateState = {
  readonly requiredToLeave?: readonly string[]
  readonly frozen?: 'all' | readonly string[]
}

/** What must hold in the records, as texts of the filter language. */
export type TemplateRule = {
  readonly when?: string
  readonly then: string
  readonly message: string
  readonly field?: string
}

/** A shared view; what it does not say is as in the plain list. */
export type TemplateView = {
  readonly name: string
  readonly filter?: string
  readonly sort?: string
  readonly group?: string
  readonly hidden?: readonly string[]
  readonly footers?: { readonly [field: string]: string }
  readonly colors?: readonly { readonly filter: string; readonly color: OptionColor; readonly field?: string }[]
}

/** A value of an example; days are counted from today, so that an example is never out of date. */
export type TemplateValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly inDays: number }
  | { readonly person: 'me' }

/** An example: values by the names of fields, choices by their names, records pointed at by their titles. */
export type TemplateRecord = { readonly [field: string]: TemplateValue }

/** One collection of a template, under the name by which the others point at it. */
export type TemplateCollection = Pick<CollectionAppearance, 'icon' | 'color'> & {
  readonly name: string
  readonly label: string
  readonly titleField: string
  readonly fields: readonly TemplateField[]
  readonly transitions?: readonly TemplateTransition[]
  readonly states?: { readonly [state: string]: TemplateState }
  readonly rules?: readonly TemplateRule[]
  /** The first opens first for whoever uses the template. */
  readonly views: readonly TemplateView[]
  readonly records: readonly TemplateRecord[]
}

/** A ready-made beginning: collections that work together. */
export type Template = {
  readonly id: string
  readonly label: string
  /** For whom it is and what one can do with it, in one sentence. */
  readonly purpose: string
  /** Those that are pointed at before those that point; the last one is what it is about, and opens. */
  readonly collections: readonly TemplateCollection[]
}
