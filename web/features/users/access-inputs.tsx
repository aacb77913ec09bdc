import { TextInput, ActionIcon, Button, Menu } from '@mantine/core'
import { MAX_ATTRIBUTE_LENGTH, MAX_ATTRIBUTE_VALUES, type UserAttribute } from '#domain/access/user.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { TagsInput } from '#web/ui/dropdown/tags-input.tsx'
import { t } from '#web/i18n/t.ts'
import { attributeText, type UserAttributes } from './user-access.ts'
import { useQuery } from '@tanstack/react-query'
import type { AddedAccessBody } from '#api/users.ts'
import type { AccessAddition } from '#domain/access/added-access.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { listText } from '#web/i18n/locale.ts'
import { PERMISSION_LABELS } from '#web/shared/formatting/permission-labels.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { addedAccessQuery, type AssignableRole } from './users-queries.ts'
import './users.css'

type AttributeInputsProps = {
  readonly fields: readonly UserAttribute[]
  readonly notes: UserAttributes
  readonly onChange: (notes: UserAttributes) => void
}

/** User attributes that policy conditions can refer to. */
export function AttributeInputs({ fields, notes, onChange }: AttributeInputsProps) {
  return fields.map(({ name, label, many }) => {
    const value = attributeText(notes, name)
    const note = (text: string | string[]) => onChange({ ...notes, [name]: text })
    return (
      <WithHelp key={name} setting="person-note">
        {many ? (
          <TagsInput
            label={label}
            description={t('Press Enter after each value')}
            maxTags={MAX_ATTRIBUTE_VALUES}
            maxLength={MAX_ATTRIBUTE_LENGTH}
            value={typeof value === 'string' ? [value].filter((text) => text !== '') : value}
            onChange={note}
          />
        ) : (
          <TextInput
            label={label}
            autoComplete="off"
            maxLength={MAX_ATTRIBUTE_LENGTH}
            value={typeof value === 'string' ? value : (value[0] ?? '')}
            onChange={({ currentTarget }) => note(currentTarget.value)}
          />
        )}
      </WithHelp>
    )
  })
}

type RoleInputsProps = {
  readonly roles: readonly AssignableRole[]
  readonly chosen: readonly string[]
  readonly onChange: (roles: string[]) => void
}

/** Selects one or more roles; each additional role shows which permissions it adds. */
export function RoleInputs({ roles, chosen, onChange }: RoleInputsProps) {
  const [first, ...others] = chosen
  const open = roles.filter(({ id, mayGive }) => mayGive && !chosen.includes(id))
  const offered = roles.filter((role) => role.id === first || open.includes(role))
  return (
    <div className="role-inputs">
      <WithHelp setting="person-roles">
        <Dropdown
          label={t('Role')}
          required
          options={offered.map(({ id, name, about }) => ({ value: id, label: name, description: about }))}
          value={first ?? null}
          disabled={isOutOfReach(roles, first)}
          onChange={(role) => role !== null && onChange([role, ...others])}
        />
      </WithHelp>
      {others.map((role, at) => (
        <div key={role} className="role-more">
          <span>{nameOf(roles, role)}</span>
          <ActionIcon
            aria-label={t('Remove role {name}', { name: nameOf(roles, role) })}
            disabled={isOutOfReach(roles, role)}
            onClick={() => onChange(chosen.filter((each) => each !== role))}
          >
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
          <AddedAccess roles={roles} role={role} to={chosen.slice(0, at + 1)} />
        </div>
      ))}
      {first !== undefined && open.length > 0 && (
        <AnotherRole roles={open} onChoose={(role) => onChange([...chosen, role])} />
      )}
    </div>
  )
}

type AnotherRoleProps = { readonly roles: readonly AssignableRole[]; readonly onChoose: (role: string) => void }

const AnotherRole = ({ roles, onChoose }: AnotherRoleProps) => (
  <Menu position="bottom-start" width={320}>
    <Menu.Target>
      <Button size="xs" variant="subtle" className="role-add" leftSection={<IconPlus size={14} stroke={1.75} />}>
        {t('Add another role')}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {roles.map(({ id, name, about }) => (
        <Menu.Item key={id} onClick={() => onChoose(id)}>
          {name}
          {about !== '' && <span className="user-menu-about">{about}</span>}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

const nameOf = (roles: readonly AssignableRole[], id: string): string =>
  roles.find((role) => role.id === id)?.name ?? id

/** Users can't assign or remove roles with more permissions than their own. */
const isOutOfReach = (roles: readonly AssignableRole[], id: string | undefined): boolean =>
  id !== undefined && roles.some((role) => role.id === id && !role.mayGive)

type AddedAccessProps = {
  readonly roles: readonly AssignableRole[]
  readonly role: string
  readonly to: readonly string[]
}

function AddedAccess({ roles, role, to }: AddedAccessProps) {
  const { data, error } = useQuery(addedAccessQuery(role, to))
  const { data: collections } = useQuery(collectionsQuery)
  if (error) return <p className="role-adds">{describeError(error).detail}</p>
  if (!data || !collections) return null
  const names = { role: nameOf(roles, role), others: listText(to.map((id) => nameOf(roles, id))) }
  const lines = additionLines(data, new Map(collections.map(({ id, label }) => [id, label])))
  if (lines.length === 0) {
    return (
      <p className="role-adds" role="status">
        {t('{role} has no permissions beyond those of {others}.', names)}
      </p>
    )
  }
  return (
    <div className="role-adds" role="status">
      {t('{role} adds these permissions to those of {others}:', names)}
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

const ADDITIONS: { readonly [Each in AccessAddition]: (permission: string, where: string) => string } = {
  permission: (permission, where) => t('{permission}: {where}', { permission, where }),
  records: (permission, where) => t('{permission}: more records in {where}', { permission, where }),
  fields: (permission, where) => t('{permission}: more fields in {where}', { permission, where }),
  presets: (permission, where) => t('{permission}: other default values in {where}', { permission, where }),
  transitions: (permission, where) => t('{permission}: additional transitions in {where}', { permission, where }),
}

/** Returns one line per permission and kind of added access. */
export function additionLines(
  { items, addsToHidden }: AddedAccessBody,
  labels: ReadonlyMap<string, string>,
): readonly string[] {
  const groups = Map.groupBy(items, ({ permission, adds }) => `${permission} ${adds}`)
  const lines = [...groups.values()].flatMap((some) => {
    const [first] = some
    if (!first) return []
    const { permission, adds } = first
    const label = PERMISSION_LABELS[permission]
    if (!isPerCollection(permission)) return [label]
    const isEverywhere = some.some(({ collection }) => collection === null)
    const named = some.map(({ collection }) => labels.get(collection ?? '') ?? t('a deleted collection'))
    return [ADDITIONS[adds](label, isEverywhere ? t('all collections') : listText(named))]
  })
  return addsToHidden ? [...lines, t('Access to collections you can’t see')] : lines
}
