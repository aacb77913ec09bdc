import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ImportBody, ImportPreview } from '#api/imports.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { t } from '#web/i18n/t.ts'
import { type ImportPlan, planForNew, planInto } from './import-plan.ts'
import './target-collection.css'

type TargetCollectionProps = {
  readonly looked: ImportBody
  readonly preview: ImportPreview
  readonly plan: ImportPlan
  readonly onPlan: (plan: ImportPlan) => void
}

/** Select value for a new collection. */
const NEW = ''

export function TargetCollection({ looked, preview, plan, onPlan }: TargetCollectionProps) {
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
          label={t('First row is header')}
          checked={plan.hasHeader}
          onChange={(event) => planAnew(plan.into, event.currentTarget.checked)}
        />
      </WithHelp>
    </div>
  )
}

function TitleColumn({ plan, onPlan }: Pick<TargetCollectionProps, 'plan' | 'onPlan'>) {
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
