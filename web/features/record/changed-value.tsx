import { type ReactNode, useMemo } from 'react'
import type { HistoryEntryBody } from '#api/history.ts'
import type { Field } from '#domain/fields/field.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import { plainText } from '#domain/rich-text/plain-text.ts'
import { FieldCell } from '#web/field-kinds/field-cell.tsx'
import { t } from '#web/i18n/t.ts'
import { compareTexts, shortenParts } from '#web/ui/editor/text-difference.ts'
import { IconArrowRight } from '#web/ui/icons/later.ts'

export type FieldChange = HistoryEntryBody['changes'][number]

type ChangedValueProps = {
  readonly field: Field
  readonly change: FieldChange
  /** Whether there was no value before. */
  readonly isNew: boolean
  readonly restore: ReactNode
}

/** A field of a history entry, with its value before and after the change. */
export function ChangedValue({ field, change, isNew, restore }: ChangedValueProps) {
  return (
    <div>
      <dt>{field.label}</dt>
      <dd>
        {isNew ? (
          <PastValue field={field} value={change.after} isText={change.isText} />
        ) : (
          <Change {...{ field, change }} />
        )}
        {restore}
      </dd>
    </div>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Rich text without its formatting. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : isEmpty(value) ? '' : plainText(value as RichDocument)

/** Long texts are compared word by word. */
function Change({ field, change }: Pick<ChangedValueProps, 'field' | 'change'>) {
  const { before, after, isText } = change
  const isLong = field.kind === 'long-text' || field.kind === 'rich-text'
  if (isLong && isText !== true) return <TextDifference before={textOf(before)} after={textOf(after)} />
  return (
    <>
      <PastValue field={field} value={before} isText={isText} />
      <IconArrowRight size={14} stroke={1.75} aria-label={t('to')} role="img" />
      <PastValue field={field} value={after} isText={isText} />
    </>
  )
}

type PastValueProps = { readonly field: Field; readonly value: unknown; readonly isText?: true | undefined }

function PastValue({ field, value, isText }: PastValueProps) {
  if (isEmpty(value)) return <span className="history-nothing">{t('empty')}</span>
  return (
    <span className="history-value" data-wrapped dir="auto">
      {isText ? String(value) : <FieldCell field={field} value={value} />}
    </span>
  )
}

function TextDifference({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => shortenParts(compareTexts(before, after)), [before, after])
  if (before === after) return <span className="history-nothing">{t('Formatting changed')}</span>
  return (
    <span className="history-difference" dir="auto">
      {parts.map(({ is, text }, at) => {
        // The parts of a text have no identity but their order.
        const key = `${at}`
        if (is === 'added') return <ins key={key}>{text}</ins>
        return is === 'removed' ? <del key={key}>{text}</del> : <span key={key}>{text}</span>
      })}
    </span>
  )
}
