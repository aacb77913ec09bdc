import { ActionIcon, Button, Menu, NativeSelect } from '@mantine/core'
import { IconDots, IconPlus } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import { type ComparableFields, useConditionOptions } from '#web/shared/conditions/condition-options.ts'
import { fieldAt, type PathGroup } from '#web/shared/conditions/path-fields.ts'
import type { TreeEdits } from './tree-edits.ts'
import { type ReactNode, useMemo } from 'react'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import {
  type ConditionDraft,
  furtherOperators,
  type GroupDraft,
  isGroup,
  type Join,
  MAX_GROUP_DEPTH,
  operatorsFor,
  operatorWords,
  switchedOperator,
  withField,
  withOther,
  withValues,
} from '#web/shared/conditions/model/condition-tree.ts'
import type { Field } from '#domain/fields/field.ts'
import { type Operator, OPERATORS } from '#domain/query/filter/filter.ts'
import { IconArrowDown, IconArrowUp } from '#web/ui/icons/general.ts'
import { IconColumns2, IconCopy, IconX } from '#web/ui/icons/later.ts'
import { ConditionValue } from '#web/shared/conditions/values/condition-value.tsx'

type ConditionActionsProps = {
  /** Used in labels such as “the condition on Status”. */
  readonly part: number
  readonly name: string
  readonly edits: TreeEdits
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

function ConditionActions({ part, name, edits }: ConditionActionsProps) {
  return (
    <div className="condition-actions">
      <Menu position="bottom-end" width={220} withinPortal>
        <Menu.Target>
          <ActionIcon size="sm" data-control="more" aria-label={t('More actions for {name}', { name })}>
            <IconDots size={14} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowUp {...icon} />}
            rightSection={<small>{t('Ctrl+Shift+↑')}</small>}
            disabled={!edits.canMove(part, -1)}
            onClick={() => edits.move(part, -1)}
          >
            {t('Move up')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown {...icon} />}
            rightSection={<small>{t('Ctrl+Shift+↓')}</small>}
            disabled={!edits.canMove(part, 1)}
            onClick={() => edits.move(part, 1)}
          >
            {t('Move down')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy {...icon} />}
            rightSection={<small>{t('Ctrl+Shift+D')}</small>}
            onClick={() => edits.duplicate(part)}
          >
            {t('Duplicate')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        size="sm"
        data-control="remove"
        aria-label={t('Remove {name}', { name })}
        onClick={() => edits.remove(part)}
      >
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}

type ValueOrFieldProps = {
  readonly field: Field
  readonly draft: ConditionDraft
  /** Fields that the value can be compared with. */
  readonly others: readonly PathGroup[]
  readonly onChange: (draft: ConditionDraft) => void
}

function ValueOrField({ field, draft, others, onChange }: ValueOrFieldProps) {
  const isField = draft.other !== undefined
  const value = isField ? (
    <Dropdown
      size="xs"
      ariaLabel={t('Field to compare {label} with', { label: field.label })}
      required
      searchable
      options={others.map((group) => ({
        group: group.label,
        options: group.fields.map(({ name, label }) => ({ value: name, label })),
      }))}
      value={draft.other === '' ? null : (draft.other ?? null)}
      onChange={(name) => onChange(withOther(draft, name ?? ''))}
      placeholder={t('Select a field')}
    />
  ) : (
    <ConditionValue field={field} draft={draft} onValues={(values) => onChange({ ...draft, values })} />
  )
  if (!isField && others.length === 0) return value
  const hint = t('Compare with a field')
  return (
    <span className="condition-either">
      {value}
      <ActionIcon
        className="condition-switch"
        size="sm"
        aria-label={`${hint}: ${field.label}`}
        aria-pressed={isField}
        title={hint}
        onClick={() => onChange(isField ? withValues(draft) : withOther(draft, onlyOf(others)))}
      >
        <IconColumns2 size={14} stroke={1.75} />
      </ActionIcon>
    </span>
  )
}

/** The only comparable field, or '' if there are several or none. */
function onlyOf(others: readonly PathGroup[]): string {
  const [first, second] = others.flatMap(({ fields }) => fields)
  return first && !second ? first.name : ''
}

type OperatorAndValueProps = {
  readonly field: Field
  readonly draft: ConditionDraft
  readonly comparable: ComparableFields
  readonly onChange: (draft: ConditionDraft) => void
}

/** Lists common operators first, then others under a heading; always includes the current operator. */
function operatorData(field: Field, set: Operator, isOfGrant: boolean) {
  const item = (op: Operator) => ({ value: op, label: operatorWords(op, field) })
  const usual = operatorsFor(field, isOfGrant)
  const further = furtherOperators(field, isOfGrant)
  const odd = [...usual, ...further].includes(set) ? [] : [set]
  const items = [...further, ...odd].map(item)
  return [...usual.map(item), ...(items.length > 0 ? [{ group: 'More', items }] : [])]
}

function OperatorAndValue({ field, draft, comparable, onChange }: OperatorAndValueProps) {
  const { isOfGrant } = useConditionOptions()
  return (
    <>
      <NativeSelect
        className="condition-operator"
        data-control="operator"
        size="xs"
        aria-label={t('Operator')}
        value={draft.op}
        data={operatorData(field, draft.op, isOfGrant)}
        onChange={({ currentTarget }) => {
          const op = OPERATORS.find((known) => known === currentTarget.value)
          if (op !== undefined) onChange(switchedOperator(draft, op, field))
        }}
      />
      <div className="condition-value" data-control="value">
        <ValueOrField field={field} draft={draft} others={comparable(field, draft.op)} onChange={onChange} />
      </div>
    </>
  )
}

type ConditionRowProps = {
  readonly groups: readonly PathGroup[]
  readonly comparable: ComparableFields
  readonly draft: ConditionDraft
  /** “And” or “or”, shown before the line. */
  readonly lead: ReactNode
  readonly edits: TreeEdits
}

function ConditionRow({ groups, comparable, draft, lead, edits }: ConditionRowProps) {
  const { isOfGrant } = useConditionOptions()
  const field = fieldAt(groups, draft.field)
  const options = useMemo(
    () =>
      groups.map((group) => ({
        group: group.label,
        options: group.fields.map(({ name, label }) => ({ value: name, label })),
      })),
    [groups],
  )
  const choose = (name: string | null) => {
    const next = fieldAt(groups, name ?? '')
    if (next) edits.put(withField(draft, next, isOfGrant))
  }
  const shown = field?.label ?? draft.field
  return (
    <div className="condition-row" role="group" aria-label={t('Condition on {shown}', { shown })} data-part={draft.key}>
      <div className="condition-joint">{lead}</div>
      <div className="condition-field" data-control="field">
        <Dropdown
          size="xs"
          ariaLabel={t('Field')}
          required
          searchable
          options={options}
          value={field?.name ?? null}
          onChange={choose}
          placeholder={draft.field}
        />
      </div>
      {field ? (
        <OperatorAndValue field={field} draft={draft} comparable={comparable} onChange={edits.put} />
      ) : (
        <span className="condition-hint condition-value">{t('Edit this condition as text')}</span>
      )}
      <ConditionActions part={draft.key} name={t('the condition on {field}', { field: shown })} edits={edits} />
    </div>
  )
}

type ConditionGroupProps = {
  readonly group: GroupDraft
  readonly groups: readonly PathGroup[]
  readonly comparable: ComparableFields
  readonly depth: number
  readonly edits: TreeEdits
}

export function ConditionGroup({ group, groups, comparable, depth, edits }: ConditionGroupProps) {
  const word = (at: number) => (
    <Joint at={at} join={group.join} onJoin={(join) => edits.join(group.key, join)} isInner={depth > 0} />
  )
  return (
    <div className="condition-group">
      {group.parts.map((part, at) =>
        isGroup(part) ? (
          <div
            key={part.key}
            data-part={part.key}
            className="condition-inner"
            role="group"
            aria-label={
              part.join === 'all' ? t('Group: all conditions must match') : t('Group: any condition must match')
            }
          >
            <div className="condition-joint">{word(at)}</div>
            <ConditionGroup group={part} groups={groups} comparable={comparable} depth={depth + 1} edits={edits} />
          </div>
        ) : (
          <ConditionRow
            key={part.key}
            groups={groups}
            comparable={comparable}
            draft={part}
            lead={word(at)}
            edits={edits}
          />
        ),
      )}
      <div className="condition-adders">
        <Button
          size="xs"
          variant="subtle"
          data-adds-to={group.key}
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={() => edits.addLine(group.key)}
        >
          {t('Add condition')}
        </Button>
        {depth < MAX_GROUP_DEPTH && group.parts.length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} stroke={1.75} />}
            onClick={() => edits.addGroup(group.key)}
          >
            {t('Add group')}
          </Button>
        )}
        {depth > 0 && <ConditionActions part={group.key} name={t('this group')} edits={edits} />}
      </div>
    </div>
  )
}

type JointProps = {
  readonly at: number
  readonly join: Join
  readonly onJoin: (join: Join) => void
  readonly isInner: boolean
}

/** A group's conjunction: selected on the second line, it applies to all lines. */
function Joint({ at, join, onJoin, isInner }: JointProps) {
  const { lead } = useConditionOptions()
  if (at === 0) return <span className="condition-word">{isInner ? '' : lead}</span>
  if (at > 1) return <span className="condition-word">{join === 'all' ? t('and') : t('or')}</span>
  return (
    <NativeSelect
      size="xs"
      aria-label={t('Combine conditions with')}
      value={join}
      data={[
        { value: 'all', label: t('and') },
        { value: 'any', label: t('or') },
      ]}
      onChange={({ currentTarget }) => onJoin(currentTarget.value === 'any' ? 'any' : 'all')}
    />
  )
}
