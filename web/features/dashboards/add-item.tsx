import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { DashboardBody } from '#api/dashboards.ts'
import { MAX_DASHBOARD_ITEMS } from '#domain/dashboards/dashboard.ts'
import { collectionsQuery, viewNamesQuery } from '#web/data/queries/collections-query.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { useChangeDashboard } from './dashboard-queries.ts'

type AddItemProps = { readonly dashboard: DashboardBody }

export function AddItem({ dashboard }: AddItemProps) {
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending } = useChangeDashboard(dashboard.id)
  const add = (view: string) =>
    mutate({ items: [...dashboard.items, { view, width: 6, height: 'medium' }] }, { onSuccess: () => setOpen(false) })
  return (
    <>
      <Button
        variant="filled"
        leftSection={<IconPlus size={16} stroke={1.5} />}
        disabled={dashboard.items.length >= MAX_DASHBOARD_ITEMS}
        onClick={() => setOpen(true)}
      >
        {t('Add view')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('Add view to dashboard')} size={440}>
        <AddItemForm isBusy={isPending} onAdd={add} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

type AddItemFormProps = {
  readonly isBusy: boolean
  readonly onAdd: (view: string) => void
  readonly onClose: () => void
}

function AddItemForm({ isBusy, onAdd, onClose }: AddItemFormProps) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const { data: views } = useQuery({ ...viewNamesQuery, refetchOnMount: 'always' })
  const [view, setView] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (view !== null && !isBusy) onAdd(view)
  }
  const groups = collections.flatMap(({ id, label }) => {
    const own = (views ?? []).filter(({ collection }) => collection === id)
    return own.length === 0 ? [] : [{ group: label, items: own.map(({ id: value, name }) => ({ value, label: name })) }]
  })
  return (
    <form onSubmit={submit} className="dashboard-dialog">
      <WithHelp setting="dashboard-item">
        <Select
          label={t('View')}
          placeholder={t('Choose a view')}
          searchable
          data={groups}
          value={view}
          onChange={setView}
          disabled={views === undefined}
          data-autofocus
        />
      </WithHelp>
      {views?.length === 0 && (
        <p className="dashboard-hint">
          {t('There are no saved views yet. Open a collection, choose Chart under Layout, and save the view.')}
        </p>
      )}
      <FormActions label={t('Add')} isReady={view !== null} isBusy={isBusy} onCancel={onClose} />
    </form>
  )
}
