import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { cancelImport, type ImportBody, type ImportPreview } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { PreviewRows } from '#web/features/import/preview-rows.tsx'
import { type ImportPlan, planError, recordCount } from './import-plan.ts'
import { ColumnMapping } from './column-mapping.tsx'
import { KeyField } from './key-field.tsx'
import { FileFormat } from './file-format.tsx'
import './plan-form.css'
import { TargetCollection } from './target-collection.tsx'
import { useStartImport } from '#web/features/import/use-start-import.ts'

type PlanFormProps = {
  readonly looked: ImportBody
  readonly preview: ImportPreview
  readonly plan: ImportPlan
  readonly onPlan: (plan: ImportPlan) => void
  readonly onGivenUp: () => void
}

/** What goes where: into which collection, which columns, as what. Nothing is stored until it is started. */
export function PlanForm({ looked, preview, plan, onPlan, onGivenUp }: PlanFormProps) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const [wasTried, setWasTried] = useState(false)
  const start = useStartImport(looked.id)
  const giveUp = useMutation({
    mutationFn: () => call(cancelImport, { params: { import: looked.id } }),
    onSettled: onGivenUp,
  })
  const fault = planError(plan)
  const into = collections.find(({ name }) => name === plan.into)

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (fault === null && !start.isPending) start.mutate({ plan, preview })
  }

  return (
    <form className="plan-form" onSubmit={submit} noValidate>
      {start.error && <FailureNotice error={start.error} />}
      <FileFormat looked={looked} preview={preview} plan={plan} onPlan={onPlan} />
      <TargetCollection looked={looked} preview={preview} plan={plan} onPlan={onPlan} />
      <ColumnMapping preview={preview} plan={plan} into={into} onPlan={onPlan} />
      {into && <KeyField looked={looked} preview={preview} plan={plan} into={into} onPlan={onPlan} />}
      <PreviewRows preview={preview} />
      <WithHelp setting="import-bad-rows">
        <Checkbox
          label={t('Skip rows with errors')}
          description={t('Otherwise a single row with errors stops the import, and nothing is saved.')}
          checked={plan.skipsBadRows}
          onChange={(event) => onPlan({ ...plan, skipsBadRows: event.currentTarget.checked })}
        />
      </WithHelp>
      {wasTried && fault !== null && (
        <p className="plan-form-fault" role="alert">
          {fault}
        </p>
      )}
      <div className="import-actions">
        <Button type="submit" variant="filled" loading={start.isPending}>
          {startLabel(preview, plan)}
        </Button>
        <Button onClick={() => giveUp.mutate()} loading={giveUp.isPending}>
          {t('Select another file')}
        </Button>
      </div>
    </form>
  )
}

function startLabel(preview: ImportPreview, plan: ImportPlan): string {
  if (!preview.isWhole) return t('Import all records')
  const count = recordCount(preview, plan)
  return plural(count, 'Import {n} record', 'Import {n} records')
}
