import type { FieldId } from '../shared/ids.ts'
import { type PartProblem, partProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'

export const MAX_SECTIONS = 50
export const MAX_SECTION_TITLE_LENGTH = 80

export type RecordSection<Key = FieldId> = {
  /** Empty: the section has no heading. */
  readonly title: string
  /** On a narrow screen, each field has a row of its own. */
  readonly fieldsPerLine: 1 | 2
  /** In display order. */
  readonly fields: readonly Key[]
}

/**
 * How the fields of a record are arranged. It can contain deleted fields, which get their place back if they are
 * restored. Fields that it doesn't contain come last.
 */
export type RecordLayout = {
  readonly sections: readonly RecordSection[]
  /** Fields that are shown only if they have a value, or if they are required. */
  readonly hiddenWhenEmpty: readonly FieldId[]
}

/** Sections of a layout with fields of any form. Fields without a place are added to the last section. */
export function arrangeFields<Item extends NonNullable<unknown>>(
  sections: readonly RecordSection[],
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly RecordSection<Item>[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  const arranged = sections.map(({ fields, ...section }) => ({
    ...section,
    fields: fields.flatMap((key) => byKey.get(key) ?? []),
  }))
  const placed = new Set(arranged.flatMap(({ fields }) => fields))
  const others = items.filter((item) => !placed.has(item))
  const last = arranged.pop() ?? { title: '', fieldsPerLine: 1, fields: [] }
  return [...arranged, { ...last, fields: [...last.fields, ...others] }].filter(({ fields }) => fields.length > 0)
}

/** Renames fields. Fields without a new name, and sections without fields, are omitted. */
export function renamedRecordLayout(layout: RecordLayout, rename: (field: string) => string | undefined): RecordLayout {
  const renamed = (fields: readonly string[]): string[] => fields.flatMap((field) => rename(field) ?? [])
  return {
    sections: layout.sections
      .map((section) => ({ ...section, fields: renamed(section.fields) }))
      .filter(({ fields }) => fields.length > 0),
    hiddenWhenEmpty: renamed(layout.hiddenWhenEmpty),
  }
}

/** Checks a layout with the names or IDs of fields, of which `idOf` returns the ID. */
export function checkRecordLayout(
  draft: RecordLayout,
  idOf: (field: string) => FieldId | undefined,
): Result<RecordLayout, readonly PartProblem[]> {
  const problems: PartProblem[] = []
  const placed = new Set<FieldId>()
  const check = (field: string, path: string, isPlace: boolean): void => {
    const id = idOf(field)
    if (id === undefined) problems.push(partProblem(path, 'unknown-field', `There is no field “${field}”.`))
    else if (isPlace && placed.has(id))
      problems.push(partProblem(path, 'duplicate-field', `The field “${field}” is listed twice.`))
    else if (isPlace) placed.add(id)
  }
  for (const [at, { fields }] of draft.sections.entries())
    for (const field of fields) check(field, `layout.sections.${at}.fields`, true)
  for (const field of draft.hiddenWhenEmpty) check(field, 'layout.hiddenWhenEmpty', false)
  return problems.length > 0 ? fail(problems) : ok(renamedRecordLayout(draft, idOf))
}

type LaidOut = { readonly layout?: RecordLayout; readonly fields: readonly { readonly id: FieldId }[] }

/** Adds the deleted fields of the former layout. Each follows the field that it followed before. */
export function keepDeletedFields(saved: RecordLayout, { layout: before, fields: existing }: LaidOut): RecordLayout {
  if (!before) return saved
  const isDeleted = (field: FieldId) => existing.every(({ id }) => id !== field)
  const sections = saved.sections.map((section) => ({ ...section, fields: [...section.fields] }))
  const former = before.sections.flatMap(({ fields }) => fields)
  for (const [at, field] of former.entries()) {
    if (!isDeleted(field)) continue
    const previous = former[at - 1]
    const section = sections.find(({ fields }) => previous !== undefined && fields.includes(previous)) ?? sections[0]
    section?.fields.splice(previous === undefined ? 0 : section.fields.indexOf(previous) + 1, 0, field)
  }
  return { sections, hiddenWhenEmpty: [...saved.hiddenWhenEmpty, ...before.hiddenWhenEmpty.filter(isDeleted)] }
}
