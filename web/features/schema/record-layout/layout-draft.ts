import { arrangeFields, MAX_SECTIONS, type RecordSection } from '#domain/collections/record-layout.ts'
import type { Field } from '#domain/fields/field.ts'
import { sectionsOf } from '#web/field-kinds/record-sections.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

export type SectionLine = Omit<RecordSection, 'fields'> & { readonly kind: 'section'; readonly id: string }

export type FieldLine = {
  readonly kind: 'field'
  readonly id: string
  readonly field: Field
  readonly isHiddenWhenEmpty: boolean
}

/** A layout as a list in which the fields of a section follow it. The first line is a section. */
export type LayoutDraft = readonly (SectionLine | FieldLine)[]

type SavedSection = { readonly title: string; readonly fieldsPerLine: 1 | 2; readonly fields: string[] }

export type SavedLayout = { readonly sections: SavedSection[]; readonly hiddenWhenEmpty: string[] }

export const layoutDraft = (collection: TypedCollection): LayoutDraft => {
  // The title is above all sections if it is a text.
  const fields = collection.fields.filter(({ name, kind }) => name !== collection.titleField || kind !== 'text')
  const hidden = collection.layout?.hiddenWhenEmpty ?? []
  return sectionsOf(collection, fields).flatMap(({ title, fieldsPerLine, fields: inSection }, at) => [
    { kind: 'section', id: `section ${at}`, title, fieldsPerLine },
    ...inSection.map(
      (field): FieldLine => ({ kind: 'field', id: field.id, field, isHiddenWhenEmpty: hidden.includes(field.name) }),
    ),
  ])
}

export const sectionLines = (draft: LayoutDraft): readonly SectionLine[] =>
  draft.filter((line) => line.kind === 'section')

const fieldLines = (draft: LayoutDraft): readonly FieldLine[] => draft.filter((line) => line.kind === 'field')

/** The layout to save; the server omits sections without fields. */
export function savedLayout(draft: LayoutDraft): SavedLayout {
  const sections: SavedSection[] = []
  for (const line of draft) {
    if (line.kind === 'section')
      sections.push({ title: line.title.trim(), fieldsPerLine: line.fieldsPerLine, fields: [] })
    else sections.at(-1)?.fields.push(line.id)
  }
  const hidden = fieldLines(draft).filter(({ isHiddenWhenEmpty }) => isHiddenWhenEmpty)
  return { sections, hiddenWhenEmpty: hidden.map(({ id }) => id) }
}

export function shownSections(draft: LayoutDraft): readonly RecordSection<Field>[] {
  const fields = fieldLines(draft).map(({ field }) => field)
  return arrangeFields(savedLayout(draft).sections, fields, ({ id }) => id)
}

export const canAddSection = (draft: LayoutDraft): boolean => sectionLines(draft).length < MAX_SECTIONS

export function withSection(draft: LayoutDraft): LayoutDraft {
  const last = Math.max(...sectionLines(draft).map(({ id }) => Number(id.replace('section ', ''))), 0)
  return [...draft, { kind: 'section', id: `section ${last + 1}`, title: '', fieldsPerLine: 1 }]
}

/** Without a section's line, its fields belong to the previous section. */
export const withoutSection = (draft: LayoutDraft, { id }: SectionLine): LayoutDraft =>
  draft.filter((line) => line.id !== id)

export const withLine = (draft: LayoutDraft, changed: LayoutDraft[number]): LayoutDraft =>
  draft.map((line) => (line.id === changed.id ? changed : line))
