import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { bulkChange } from '#api/bulk.ts'
import { changeField, type CollectionBody } from '#api/collections.ts'
import type { ImportCheck, ImportIssue } from '#api/imports.ts'
import type { Field } from '#domain/fields/field.ts'
import { NEW_OPTION_COLOR } from '#domain/fields/field-options.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { plural, t } from '#web/i18n/t.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import { titleFieldOf, typedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { IconCircleCheck } from '#web/ui/icons/later.ts'
import { FormatSelect, isUnreadable } from './column-format.tsx'
import { type ColumnPlan, columnName, type ImportPlan, type PlannedImport, withColumn } from './import-plan.ts'
import './import-check.css'

type CheckPartProps = {
  readonly id: string
  readonly planned: PlannedImport
  readonly collections: readonly CollectionBody[]
  readonly onPlan: (plan: ImportPlan) => void
}

type ImportCheckPanelProps = CheckPartProps & {
  /** The latest result, which may belong to a previous plan. */
  readonly check: ImportCheck | undefined
  readonly isChecking: boolean
  readonly error: unknown
  readonly onRetry: () => void
}

/** Shows the problems found by checking all rows, and ways to fix them. */
export function ImportCheckPanel({ check, isChecking, error, onRetry, onPlan, ...part }: ImportCheckPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // Fixing an error removes its button, so focus moves to the panel.
  const fix = (plan: ImportPlan) => {
    panel.current?.focus()
    onPlan(plan)
  }
  if (error) return <FailureNotice error={error} onRetry={onRetry} />
  return (
    <div ref={panel} className="import-check" tabIndex={-1} aria-busy={isChecking || !check}>
      <CheckResult check={isChecking ? undefined : check} />
      {check?.issues.map((issue) => (
        <Issue key={`${issue.at} ${issue.code} ${issue.message}`} issue={issue} onPlan={fix} {...part} />
      ))}
    </div>
  )
}

function CheckResult({ check }: { readonly check: ImportCheck | undefined }) {
  if (!check) return <ProgressLine label={t('Checking all rows')} />
  const { rowsRead, rowsRejected, issues, isWhole } = check
  if (issues.length > 0) {
    return (
      <div role="status">
        <h2>
          {plural(rowsRejected, '{n} of {all} rows has errors', '{n} of {all} rows have errors', { all: rowsRead })}
        </h2>
        <p className="import-note">{t('Nothing has been imported yet. Fix these errors or skip the rows.')}</p>
      </div>
    )
  }
  return (
    <p className="import-check-fine" role="status">
      <IconCircleCheck size={18} stroke={1.5} aria-hidden />
      {isWhole
        ? plural(rowsRead, 'The only row can be imported.', 'All {n} rows can be imported.')
        : t('The first {count} rows can be imported. The others are checked during the import.', { count: rowsRead })}
    </p>
  )
}

type IssueProps = CheckPartProps & { readonly issue: ImportIssue }

function describeIssue(issue: ImportIssue, column: ColumnPlan | undefined, into: CollectionBody | undefined): string {
  const { rowCount: n, code } = issue
  const field = into?.fields.find(({ name }) => column?.target === 'field' && name === column.field)
  const kind = field?.kind ?? column?.kind ?? 'text'
  if (code === 'not-choice') return plural(n, '{n} row has an unknown option', '{n} rows have unknown options')
  if (code === 'no-match')
    return plural(n, '{n} row links to a record that doesn’t exist', '{n} rows link to records that don’t exist')
  if (code === 'several-matches')
    return plural(n, '{n} row matches more than one record', '{n} rows match more than one record')
  if (code === 'required')
    return plural(n, '{n} row is missing a required value', '{n} rows are missing a required value')
  if (code === 'duplicate') return plural(n, '{n} row has a duplicate value', '{n} rows have duplicate values')
  if (code === 'rule-broken')
    return plural(n, '{n} row violates a validation rule', '{n} rows violate validation rules')
  if (isUnreadable(issue)) {
    return plural(n, '{n} row can’t be read as “{type}”', '{n} rows can’t be read as “{type}”', {
      type: KIND_TRAITS[kind].label,
    })
  }
  return plural(n, '{n} row is invalid', '{n} rows are invalid')
}

function Issue({ issue, id, planned, collections, onPlan }: IssueProps) {
  const { plan, preview } = planned
  const { at, message, firstRow } = issue
  const column = at === null ? undefined : plan.columns[at]
  const into = collections.find(({ name }) => name === plan.into)
  const change = (part: Partial<ColumnPlan>) => at !== null && onPlan(withColumn(plan, at, part))
  const name = at === null ? t('Whole row') : columnName(preview, at, plan.hasHeader)
  return (
    <div className="import-issue">
      <h3>
        {name}: {describeIssue(issue, column, into)}
      </h3>
      {!isUnreadable(issue) && (
        <p className="import-note">{t('First error (row {row}): {message}', { row: firstRow, message })}</p>
      )}
      {column && (
        <Fixes {...{ issue, column, into, name }} onChange={change}>
          <CreateMissing {...{ issue, id, column, into, collections }} />
        </Fixes>
      )}
    </div>
  )
}

type FixesProps = {
  readonly issue: ImportIssue
  readonly column: ColumnPlan
  readonly into: CollectionBody | undefined
  readonly name: string
  readonly onChange: (part: Partial<ColumnPlan>) => void
  readonly children: ReactNode
}

const TEXTS_SHOWN = 6

function Fixes({ issue, column, into, name, onChange, children }: FixesProps) {
  // Duplicate values and rule violations can't be fixed by replacing text.
  const texts = issue.code === 'duplicate' ? [] : issue.texts
  const shown = issue.code === 'required' ? [{ text: '', count: issue.rowCount }] : texts.slice(0, TEXTS_SHOWN)
  const replace = (pairs: ColumnPlan['replace']) => onChange({ replace: [...column.replace, ...pairs] })
  const empty = () =>
    isUnreadable(issue)
      ? onChange({ emptyUnreadable: true })
      : replace(texts.map(({ text }) => ({ from: text, to: '' })))
  return (
    <>
      {shown.length > 0 && (
        <ul className="import-issue-texts">
          {shown.map(({ text, count }) => (
            <ReplaceText key={text} text={text} count={count} onReplace={(to) => replace([{ from: text, to }])} />
          ))}
        </ul>
      )}
      {texts.length > TEXTS_SHOWN && (
        <p className="import-note">{plural(issue.textCount - TEXTS_SHOWN, '{n} more value', '{n} more values')}</p>
      )}
      <div className="import-actions">
        {isUnreadable(issue) && <FormatSelect name={name} column={column} into={into} onChange={onChange} />}
        {children}
        {texts.length > 0 && <Button onClick={empty}>{t('Import as empty')}</Button>}
        {column.target === 'new' && isUnreadable(issue) && (
          <Button onClick={() => onChange({ kind: 'text' })}>{t('Import the column as text')}</Button>
        )}
      </div>
    </>
  )
}

type ReplaceTextProps = {
  readonly text: string
  readonly count: number
  readonly onReplace: (to: string) => void
}

function ReplaceText({ text, count, onReplace }: ReplaceTextProps) {
  const [to, setTo] = useState('')
  const apply = () => to.trim() !== '' && onReplace(to.trim())
  const name = text === '' ? t('Empty') : text
  return (
    <li>
      <span className="import-issue-text">
        {name} <span className="import-issue-count">{t('×{count}', { count })}</span>
      </span>
      <TextInput
        size="xs"
        aria-label={t('Replace “{text}” with', { text: name })}
        placeholder={t('Replace with')}
        value={to}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Prevents Enter from starting the import.
          event.preventDefault()
          apply()
        }}
      />
    </li>
  )
}

type CreateMissingProps = Pick<IssueProps, 'issue' | 'id' | 'collections'> & {
  readonly column: ColumnPlan
  readonly into: CollectionBody | undefined
}

/** Creates missing options or linked records that rows refer to, then checks the file again. */
function CreateMissing({ issue, id, column, into, collections }: CreateMissingProps) {
  const queryClient = useQueryClient()
  const missing = missingOf({ issue, column, into, collections })
  const create = useMutation({
    mutationFn: () => missing?.create() ?? Promise.resolve(),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: collectionsQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: [...queryKeys.import(id), 'check'] })
    },
  })
  if (!missing) return null
  return (
    <>
      <FailureNotice error={create.error} />
      <Button variant="filled" onClick={() => create.mutate()} loading={create.isPending}>
        {missing.label}
      </Button>
    </>
  )
}

type Missing = { readonly label: string; readonly create: () => Promise<unknown> }

/** Maximum length of a name, in characters; longer texts are truncated. */
const MAX_NAME_LENGTH = 120

/** Options or linked records that don't exist yet; undefined if the user can't create them. */
function missingOf({ issue, column, into, collections }: Omit<CreateMissingProps, 'id'>): Missing | undefined {
  const collection = into && typedCollection(into)
  const field = collection?.fields.find(({ name }) => column.target === 'field' && name === column.field)
  const names = issue.texts.map(({ text }) => text)
  const areNamed = names.length === issue.textCount && names.every((name) => name.length <= MAX_NAME_LENGTH)
  if (!collection || !field || !areNamed) return undefined
  if (issue.code === 'not-choice') return missingOptions(collection, field, names)
  return issue.code === 'no-match' ? missingRecords(collections, field, names) : undefined
}

function missingOptions(
  { id, can }: Pick<CollectionBody, 'id' | 'can'>,
  field: Field,
  names: readonly string[],
): Missing | undefined {
  if ((field.kind !== 'select' && field.kind !== 'multi-select') || !can.includes('collections:manage'))
    return undefined
  const { choices } = field.options
  const added = names.map((name) => ({ name, color: NEW_OPTION_COLOR }))
  const params = { collection: id, field: field.id }
  return {
    label: plural(names.length, 'Create {n} option', 'Create {n} options'),
    create: () => call(changeField, { params, body: { options: { choices: [...choices, ...added] } } }),
  }
}

function missingRecords(
  collections: readonly CollectionBody[],
  field: Field,
  names: readonly string[],
): Missing | undefined {
  const target = collections.find(({ id }) => field.kind === 'relation' && id === field.options.collection)
  const title = target && titleFieldOf(typedCollection(target))
  if (!target?.can.includes('records:create') || title?.kind !== 'text') return undefined
  const create = names.map((name) => ({ values: { [title.name]: name } }))
  return {
    label: plural(names.length, 'Create {n} record in {collection}', 'Create {n} records in {collection}', {
      collection: target.label,
    }),
    create: () => call(bulkChange, { params: { collection: target.id }, body: { create } }),
  }
}
