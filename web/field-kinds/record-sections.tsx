import { type ReactNode, useId } from 'react'
import { arrangeFields, type RecordSection } from '#domain/collections/record-layout.ts'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { uiOf } from './field-kinds.ts'
import './record-sections.css'

const isWide = (field: Field): boolean => uiOf(field).isWide

/** The given fields of a record, arranged by the layout of the collection. */
export function sectionsOf({ layout }: TypedCollection, fields: readonly Field[]): readonly RecordSection<Field>[] {
  if (layout) return arrangeFields(layout.sections, fields, ({ name }) => name)
  return arrangeFields([], [...fields.filter((field) => !isWide(field)), ...fields.filter(isWide)], ({ id }) => id)
}

type RecordSectionsProps = {
  readonly sections: readonly RecordSection<Field>[]
  readonly renderField: (field: Field) => ReactNode
}

/** The sections of a record, in which long fields have the whole width. */
export function RecordSections({ sections, renderField }: RecordSectionsProps) {
  const fields = sections.flatMap((section) => section.fields)
  return sections.map((section) => (
    <Section key={section.fields[0]?.id} section={section}>
      {runsOf(section.fields).map((run) => {
        const [first] = run
        if (!first) return null
        return isWide(first) ? (
          <div key={first.id} className="record-wide" data-kind={first.kind} data-tour={tourMark(first, fields)}>
            {renderField(first)}
          </div>
        ) : (
          <div key={first.id} className="record-short" data-tour={tourMark(first, fields)}>
            {run.map(renderField)}
          </div>
        )
      })}
    </Section>
  ))
}

function Section({ section, children }: { readonly section: RecordSection<Field>; readonly children: ReactNode }) {
  const { title, fieldsPerLine } = section
  const titleId = useId()
  return (
    <section
      className="record-section"
      data-columns={fieldsPerLine}
      aria-labelledby={title === '' ? undefined : titleId}
    >
      {title !== '' && <h2 id={titleId}>{title}</h2>}
      {children}
    </section>
  )
}

/** Long fields alone, and the short fields between them together. */
function runsOf(fields: readonly Field[]): readonly (readonly Field[])[] {
  const runs: Field[][] = []
  for (const [at, field] of fields.entries()) {
    const before = fields[at - 1]
    const run = runs.at(-1)
    if (run && before && !isWide(field) && !isWide(before)) run.push(field)
    else runs.push([field])
  }
  return runs
}

/** Marks the first short field, rich text editor and files field for the welcome tour. */
function tourMark(field: Field, fields: readonly Field[]): string | undefined {
  const mark = isWide(field) ? WIDE_MARKS[field.kind] : 'record-fields'
  const isSame = (other: Field): boolean => (isWide(field) ? other.kind === field.kind : !isWide(other))
  return fields.find(isSame) === field ? mark : undefined
}

const WIDE_MARKS: { readonly [kind: string]: string | undefined } = {
  'rich-text': 'record-editor',
  files: 'record-files',
}
