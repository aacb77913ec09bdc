import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { cancelImport, type ImportBody, type ImportCheck, type ImportPreview, inspectImport } from '#api/imports.ts'
import { type Encoding, ENCODING_NAMES, ENCODINGS } from '#domain/imports/encodings.ts'
import { call } from '#web/data/api/call.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { listText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import './preview-rows.css'
import { ColumnMapping } from './column-mapping.tsx'
import { ImportCheckPanel } from './import-check.tsx'
import {
  checkQuery,
  type ImportPlan,
  keyColumnOf,
  keyOptions,
  planError,
  planForNew,
  planInto,
  recordCount,
  useStartImport,
} from '#web/features/import/import-plan.ts'
import './plan-form.css'
import './target-collection.css'

type PlanPartProps = {
  readonly looked: ImportBody
  readonly preview: ImportPreview
  readonly plan: ImportPlan
  readonly onPlan: (plan: ImportPlan) => void
}

const NEW = ''

function TargetCollection({ looked, preview, plan, onPlan }: PlanPartProps) {
  const mayMake = useCan('collections:manage')
  const { data: collections = [] } = useQuery(collectionsQuery)

  function planAnew(into: string | null, hasHeader: boolean) {
    const chosen = collections.find((one) => one.name === into)
    const { skipsBadRows, label } = plan
    const fresh = { ...planForNew(preview, looked.fileName, hasHeader), label, skipsBadRows }
    onPlan(chosen ? planInto(fresh, preview, chosen) : fresh)
  }

  const open = collections.filter(({ can }) => can.includes('records:import'))
  const places = [
    ...(mayMake ? [{ value: NEW, label: t('New collection') }] : []),
    ...open.map(({ name, label }) => ({ value: name, label })),
  ]
  return (
    <div className="plan-target">
      <WithHelp setting="import-into">
        <Select
          label={t('Target collection')}
          data={places}
          value={plan.into ?? NEW}
          onChange={(name) => planAnew(name, plan.hasHeader)}
        />
      </WithHelp>
      {plan.into === null && (
        <>
          <WithHelp setting="collection-label">
            <TextInput
              label={t('New collection name')}
              value={plan.label}
              maxLength={120}
              onChange={(event) => onPlan({ ...plan, label: event.currentTarget.value })}
            />
          </WithHelp>
          <TitleColumn plan={plan} onPlan={onPlan} />
        </>
      )}
      <WithHelp setting="import-header">
        <Checkbox
          className="plan-target-header"
          label={t('First row is a header')}
          checked={plan.hasHeader}
          onChange={(event) => planAnew(plan.into, event.currentTarget.checked)}
        />
      </WithHelp>
    </div>
  )
}

function TitleColumn({ plan, onPlan }: Pick<PlanPartProps, 'plan' | 'onPlan'>) {
  const choices = plan.columns.flatMap(({ target, label }, at) =>
    target === 'new' ? [{ value: String(at), label: label.trim() || t('Column {at}', { at: at + 1 }) }] : [],
  )
  return (
    <WithHelp setting="collection-title">
      <Select
        label={t('Primary field')}
        data={choices}
        value={plan.titleColumn === null ? null : String(plan.titleColumn)}
        onChange={(value) => onPlan({ ...plan, titleColumn: value === null ? null : Number(value) })}
      />
    </WithHelp>
  )
}

const SEPARATOR_LABELS = [
  { value: ',', label: t('Comma') },
  { value: ';', label: t('Semicolon') },
  { value: '\t', label: 'Tab' },
  { value: '|', label: t('Pipe') },
]

const ENCODING_LABELS = ENCODING_NAMES.map((name) => ({ value: name, label: ENCODINGS[name] }))

/** Options for the file format; changing one inspects the file again. */
function FileFormat({ looked, preview, plan, onPlan }: PlanPartProps) {
  const queryClient = useQueryClient()
  const { data: collections = [] } = useQuery(collectionsQuery)
  const again = useMutation({
    mutationFn: (body: { readonly encoding: Encoding; readonly separator: string }) =>
      call(inspectImport, { params: { import: looked.id }, body }),
    onSuccess: (next) => {
      queryClient.setQueryData(queryKeys.import(looked.id), next)
      if (!next.preview) return
      const into = collections.find(({ name }) => name === plan.into)
      const fresh = { ...planForNew(next.preview, looked.fileName), label: plan.label, skipsBadRows: plan.skipsBadRows }
      onPlan(into ? planInto(fresh, next.preview, into) : fresh)
    },
  })
  const { encoding, separator, confidence } = preview
  return (
    <>
      <FailureNotice error={again.error} />
      <div className="plan-target">
        <WithHelp setting="import-encoding">
          <Select
            label={t('File encoding')}
            description={describeConfidence(confidence)}
            searchable
            allowDeselect={false}
            data={ENCODING_LABELS}
            value={again.isPending ? again.variables.encoding : encoding}
            disabled={again.isPending}
            onChange={(value) => {
              const chosen = ENCODING_NAMES.find((name) => name === value)
              if (chosen) again.mutate({ encoding: chosen, separator })
            }}
          />
        </WithHelp>
        <WithHelp setting="import-separator">
          <Select
            label={t('Delimiter')}
            description={t('Each row should have the same number of columns.')}
            allowDeselect={false}
            data={SEPARATOR_LABELS}
            value={again.isPending ? again.variables.separator : separator}
            disabled={again.isPending}
            onChange={(value) => value !== null && again.mutate({ encoding, separator: value })}
          />
        </WithHelp>
      </div>
    </>
  )
}

function describeConfidence(confidence: ImportPreview['confidence']): string {
  if (confidence === 'certain') return t('Detected from the file')
  if (confidence === 'likely') return t('Probably correct: the text is readable.')
  return t('Guessed. Check accented characters in the preview, and select another encoding if they look wrong.')
}

type KeyFieldProps = PlanPartProps & { readonly into: CollectionBody }

const ADD = '-add'

function KeyField({ looked, preview, plan, into, onPlan }: KeyFieldProps) {
  const choices = keyOptions(plan, preview, into)
  const column = keyColumnOf(plan, preview)
  const { data: matches, isFetching } = useQuery({
    queryKey: [...queryKeys.import(looked.id), 'matches', into.name, plan.key, column, preview.encoding],
    queryFn: async ({ signal }) => {
      const key = { collection: into.name, field: plan.key ?? '', column: column ?? 0 }
      return (await call(inspectImport, { params: { import: looked.id }, body: { key }, signal })).matches ?? null
    },
    enabled: plan.key !== null && column !== null,
  })
  if (choices.length === 0 || !into.can.includes('records:update')) return null
  return (
    <div className="plan-target">
      <WithHelp setting="import-key">
        <Select
          label={t('Existing records')}
          description={describe(plan, matches ?? undefined, isFetching)}
          allowDeselect={false}
          data={[
            { value: ADD, label: t('Create a new record for every row') },
            ...choices.map(({ name, label }) => ({
              value: name,
              label: t('Update the record with the same {label}', { label }),
            })),
          ]}
          value={plan.key ?? ADD}
          onChange={(value) => onPlan({ ...plan, key: value === ADD ? null : value })}
        />
      </WithHelp>
    </div>
  )
}

function describe(plan: ImportPlan, matches: ImportBody['matches'], isFetching: boolean): string {
  if (plan.key === null) return t('Select a field to match existing records and update them.')
  if (!matches) return isFetching ? t('Counting…') : t('Only mapped columns are updated.')
  const { updates, creates, unclear, isWhole } = matches
  const parts = [t('{updates} updated', { updates }), t('{creates} new', { creates })]
  if (unclear > 0) parts.push(t('{unclear} ambiguous and rejected', { unclear }))
  const said = parts.join(', ')
  return isWhole ? `${said}.` : t('First {count} rows: {said}.', { count: 100_000, said })
}

const SHOWN_ROWS = 8

function PreviewRows({ preview }: { readonly preview: ImportPreview }) {
  const rows = preview.rows.slice(0, SHOWN_ROWS)
  if (rows.length === 0) return null
  return (
    <details className="first-rows">
      <summary>{t('Preview of the first rows')}</summary>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <div className="first-rows-scroll" role="region" aria-label={t('Preview of the first rows')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {preview.columns.map(({ header }, at) => (
                <th key={at} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, at) => (
              <tr key={at}>
                {cells.map((cell, place) => (
                  <td key={place}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

type PlanFormProps = PlanPartProps & { readonly onGivenUp: () => void }

export function PlanForm({ looked, preview, plan, onPlan, onGivenUp }: PlanFormProps) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const [wasTried, setWasTried] = useState(false)
  const start = useStartImport(looked.id)
  const giveUp = useMutation({
    mutationFn: () => call(cancelImport, { params: { import: looked.id } }),
    onSettled: onGivenUp,
  })
  const planned = { plan, preview }
  const { data: found, isPlaceholderData, error, refetch } = useQuery(checkQuery(looked.id, planned))
  const check = isPlaceholderData ? undefined : found
  const fault = planError(plan)
  const into = collections.find(({ name }) => name === plan.into)
  const skipsBadRows = plan.skipsBadRows || (check?.isWhole === true && check.rowsRejected > 0)

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (fault === null && !start.isPending) start.mutate({ preview, plan: { ...plan, skipsBadRows } })
  }

  return (
    <form className="plan-form" onSubmit={submit} noValidate>
      <FailureNotice error={start.error} />
      <FileFormat looked={looked} preview={preview} plan={plan} onPlan={onPlan} />
      <TargetCollection looked={looked} preview={preview} plan={plan} onPlan={onPlan} />
      <ColumnMapping preview={preview} plan={plan} into={into} onPlan={onPlan} />
      {into && <KeyField looked={looked} preview={preview} plan={plan} into={into} onPlan={onPlan} />}
      <PreviewRows preview={preview} />
      {fault === null && (
        <ImportCheckPanel
          id={looked.id}
          planned={planned}
          collections={collections}
          onPlan={onPlan}
          check={found}
          isChecking={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {check?.isWhole !== true && <SkipBadRows plan={plan} onPlan={onPlan} />}
      {wasTried && fault !== null && (
        <p className="plan-form-fault" role="alert">
          {fault}
        </p>
      )}
      <div className="import-actions">
        <Button
          type="submit"
          variant="filled"
          loading={start.isPending}
          disabled={check?.isWhole === true && check.rowsRejected === check.rowsRead}
        >
          {startLabel(preview, plan, check)}
        </Button>
        <Button onClick={() => giveUp.mutate()} loading={giveUp.isPending}>
          {t('Select another file')}
        </Button>
      </div>
    </form>
  )
}

/** Shown if the check didn't cover the whole file. */
function SkipBadRows({ plan, onPlan }: Pick<PlanPartProps, 'plan' | 'onPlan'>) {
  return (
    <WithHelp setting="import-bad-rows">
      <Checkbox
        label={t('Skip rows with errors')}
        description={t('Otherwise a single row with errors stops the import, and nothing is saved.')}
        checked={plan.skipsBadRows}
        onChange={(event) => onPlan({ ...plan, skipsBadRows: event.currentTarget.checked })}
      />
    </WithHelp>
  )
}

function startLabel(preview: ImportPreview, plan: ImportPlan, check: ImportCheck | undefined): string {
  const rows = check?.isWhole ? check.rowsRead : preview.isWhole ? recordCount(preview, plan) : null
  const rejected = check?.isWhole ? check.rowsRejected : 0
  const columns = plan.columns.filter(({ target }) => target === 'skip').length
  const imported =
    rows === null ? t('Import all records') : plural(rows - rejected, 'Import {n} record', 'Import {n} records')
  const skipped = [
    ...(rejected > 0 ? [plural(rejected, '{n} row', '{n} rows')] : []),
    ...(columns > 0 ? [plural(columns, '{n} column', '{n} columns')] : []),
  ]
  return skipped.length === 0 ? imported : t('{imported}, skip {skipped}', { imported, skipped: listText(skipped) })
}
