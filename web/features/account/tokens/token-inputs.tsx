import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Permission } from '#domain/access/permission.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { MultiSelect } from '#web/ui/dropdown/multi-select.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { t } from '#web/i18n/t.ts'
import { PERMISSION_LABELS } from './permission-labels.ts'
import { availablePermissions, TOKEN_DAYS, type TokenDays } from './token-draft.ts'

type TokenInputProps<Value> = { readonly chosen: Value; readonly onChange: (chosen: Value) => void }

/** What the program may do. */
export function TokenPermissions({ chosen, onChange }: TokenInputProps<readonly Permission[]>) {
  const offered = availablePermissions(useUser()?.scope ?? [])
  const toggle = (permission: Permission, isOn: boolean) =>
    onChange(offered.filter((one) => (one === permission ? isOn : chosen.includes(one))))
  return (
    <WithHelp setting="token-may">
      <OptionSet legend={t('Permissions')} isWide>
        {offered.map((permission) => (
          <Checkbox
            key={permission}
            label={PERMISSION_LABELS[permission]}
            checked={chosen.includes(permission)}
            onChange={({ currentTarget }) => toggle(permission, currentTarget.checked)}
          />
        ))}
      </OptionSet>
    </WithHelp>
  )
}

/** In which collections it may. */
export function TokenCollections({ chosen, onChange }: TokenInputProps<readonly string[]>) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  return (
    <WithHelp setting="token-collections">
      <MultiSelect
        label={t('Collections')}
        description={t('If empty: all collections you can access, including new ones')}
        placeholder={chosen.length === 0 ? t('All collections') : undefined}
        searchable
        data={collections.map(({ id, label }) => ({ value: id, label }))}
        value={[...chosen]}
        onChange={onChange}
      />
    </WithHelp>
  )
}

const EXPIRY_LABELS: { readonly [Days in TokenDays]: string } = {
  '30': t('in 30 days'),
  '90': t('in 90 days'),
  '365': t('in a year'),
  never: t('never'),
}

/** When it ends. */
export function TokenExpiry({ chosen, onChange }: TokenInputProps<TokenDays>) {
  return (
    <WithHelp setting="token-end">
      <Select
        label={t('Expires')}
        data={TOKEN_DAYS.map((value) => ({ value, label: EXPIRY_LABELS[value] }))}
        value={chosen}
        onChange={(value) => value !== null && onChange(value)}
      />
    </WithHelp>
  )
}
