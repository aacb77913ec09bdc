import { ActionIcon, Button, Menu, NativeSelect, UnstyledButton } from '@mantine/core'
import { useId, useMemo, useRef, useState } from 'react'
import { OPTION_COLORS, type OptionColor } from '#domain/fields/field.ts'
import { MAX_COLOR_RULES } from '#domain/views/view.ts'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { IconChevronDown, IconGripVertical, IconPlus } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import type { ColorRule, ListSettingsProps } from '#web/views/listing/list-settings.ts'
import { colorRuleError, describeColorRule } from '#web/views/listing/conditional-colors/conditional-colors.ts'
import '../../../views/listing/conditional-colors/conditional-colors.css'
import './colors-panel.css'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { LazyConditionBuilder } from '#web/shared/conditions/builder/lazy-condition-builder.tsx'
import { colorName } from '#web/shared/formatting/color-names.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { IconX } from '#web/ui/icons/later.ts'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import { recordColumns } from '#web/views/grid/record-columns.tsx'

/** A rule being edited; without a condition, a new rule has no effect. */
export type RuleDraft = { readonly id: number; readonly rule: ColorRule }

export function ColorRules({ collection, look, onLook }: ListSettingsProps) {
  const findCollection = useFindCollection()
  const { drafts, change, newId } = useDrafts(look.colors, (colors) => onLook({ colors }))
  const [open, setOpen] = useState<number>()
  const adding = useRef<HTMLButtonElement>(null)
  const nameOf = ({ rule }: RuleDraft) =>
    describeColorRule(rule.filter, { collection, findCollection }) || t('New rule')
  const reorder = useReorder({ items: drafts, keyOf: ({ id }) => String(id), nameOf, onReorder: change })

  const add = () => {
    const id = newId()
    change([...drafts, { id, rule: { filter: '', color: unusedColor(drafts), field: null } }])
    setOpen(id)
  }
  return (
    <>
      {drafts.length === 0 && (
        <p className="color-rules-hint">{t('Highlight rows or cells that match a condition.')}</p>
      )}
      <ul ref={reorder.listRef} className="color-rules-list" aria-label={t('Color rules')}>
        {reorder.order.map((draft) => (
          <ColorRuleRow
            key={draft.id}
            collection={collection}
            rule={draft.rule}
            words={nameOf(draft)}
            place={drafts.indexOf(draft) + 1}
            isOpen={open === draft.id}
            onOpen={(isOpen) => setOpen(isOpen ? draft.id : undefined)}
            itemProps={reorder.itemProps(draft)}
            handleProps={reorder.handleProps(draft)}
            onChange={(rule) => change(drafts.map((each) => (each === draft ? { id: draft.id, rule } : each)))}
            onRemove={() => {
              change(drafts.filter((each) => each !== draft))
              adding.current?.focus()
            }}
          />
        ))}
      </ul>
      {drafts.length > 1 && <p className="color-rules-hint">{t('The first matching rule applies.')}</p>}
      <Button
        ref={adding}
        size="xs"
        variant="subtle"
        className="color-rules-add"
        leftSection={<IconPlus size={14} stroke={1.75} />}
        disabled={drafts.length >= MAX_COLOR_RULES}
        onClick={add}
      >
        {t('Add a rule')}
      </Button>
      <span role="status" className="visually-hidden">
        {reorder.announcement}
      </span>
    </>
  )
}

const FIRST_COLORS: readonly OptionColor[] = ['red', 'amber', 'green', 'blue', 'violet']

const unusedColor = (drafts: readonly RuleDraft[]): OptionColor =>
  [...FIRST_COLORS, ...OPTION_COLORS].find((color) => drafts.every(({ rule }) => rule.color !== color)) ?? 'gray'

/** Color rules, including new ones that have no condition yet. */
function useDrafts(colors: readonly ColorRule[], onColors: (colors: readonly ColorRule[]) => void) {
  const ids = useRef(0)
  const newId = () => {
    ids.current += 1
    return ids.current
  }
  const draftsOf = (rules: readonly ColorRule[]) => rules.map((rule): RuleDraft => ({ id: newId(), rule }))
  const [held, setHeld] = useState(() => ({ colors, drafts: draftsOf(colors) }))
  // If this component made the change, `colors` is the same object; any other change resets the drafts.
  if (held.colors !== colors) setHeld({ colors, drafts: draftsOf(colors) })

  const change = (drafts: readonly RuleDraft[]) => {
    const next = drafts.flatMap(({ rule }) => (rule.filter === '' ? [] : [rule]))
    const isSame = next.length === colors.length && next.every((rule, at) => rule === colors[at])
    setHeld({ colors: isSame ? colors : next, drafts: [...drafts] })
    if (!isSame) onColors(next)
  }
  return { drafts: held.drafts, change, newId }
}

type ColorRuleRowProps = {
  readonly collection: TypedCollection
  readonly rule: ColorRule
  readonly words: string
  /** The position of the rule, starting at 1. */
  readonly place: number
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly itemProps: ReturnType<Reorder<unknown>['itemProps']>
  readonly handleProps: ReturnType<Reorder<unknown>['handleProps']>
  readonly onChange: (rule: ColorRule) => void
  readonly onRemove: () => void
}

export function ColorRuleRow(props: ColorRuleRowProps) {
  const { rule, words, place, isOpen, onOpen, onChange, onRemove } = props
  const details = useId()
  return (
    <li {...props.itemProps} className="colour-rule">
      <div className="colour-rule-head">
        <button {...props.handleProps}>
          <IconGripVertical size={16} stroke={1.5} aria-hidden />
        </button>
        <ColorMenu place={place} color={rule.color} onColor={(color) => onChange({ ...rule, color })} />
        <UnstyledButton
          className="colour-rule-words"
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => onOpen(!isOpen)}
        >
          <span>{words}</span>
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </UnstyledButton>
        <ActionIcon aria-label={t('Remove rule {words}', { words })} onClick={onRemove}>
          <IconX size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      <div id={details} hidden={!isOpen} className="colour-rule-details">
        {isOpen && <RuleDetails {...props} />}
      </div>
    </li>
  )
}

function RuleDetails({ collection, rule, place, onChange }: ColorRuleRowProps) {
  const findCollection = useFindCollection()
  const columns = useMemo(() => recordColumns(collection, undefined), [collection])
  const parsed = rule.filter === '' ? undefined : parseFilter(rule.filter)
  const world = { collection, findCollection, userId: null, now: new Date() }
  const fault = rule.filter === '' ? undefined : colorRuleError(rule.filter, world)
  return (
    <>
      <WithHelp setting="colour-what">
        <NativeSelect
          size="xs"
          label={t('Apply rule {place} to', { place })}
          // Focuses a new rule.
          autoFocus={rule.filter === ''}
          value={rule.field ?? ''}
          data={[
            { value: '', label: t('Color the whole row') },
            ...columns.map(({ id, header }) => ({ value: id, label: t('Color only {header}', { header }) })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ ...rule, field: value === '' ? null : value })}
        />
      </WithHelp>
      <WithHelp setting="colour-condition">
        <p className="colour-rule-part">{t('Which records')}</p>
        <LazyConditionBuilder
          label={t('the condition of rule {place}', { place })}
          collection={collection}
          // No conditions on related collections, because lists load only the titles of linked records.
          findCollection={nowhere}
          value={parsed?.ok ? parsed.value.filter : null}
          me={t('Me')}
          needsOne
          onChange={(filter, isComplete) => {
            if (filter && isComplete) onChange({ ...rule, filter: printFilter(filter) })
          }}
        />
      </WithHelp>
      {fault !== undefined && (
        <p role="alert" className="color-rules-fault">
          {fault}
        </p>
      )}
    </>
  )
}

const nowhere = (): undefined => undefined

type ColorMenuProps = {
  readonly place: number
  readonly color: OptionColor
  readonly onColor: (color: OptionColor) => void
}

function ColorMenu({ place, color, onColor }: ColorMenuProps) {
  return (
    <Menu position="bottom-start" withinPortal={false} width={160}>
      <Menu.Target>
        <UnstyledButton
          className="colour-sign"
          data-hue={color}
          aria-label={t('Color of rule {place}: {color}', { place, color: colorName(color) })}
        >
          {place}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className="color-menu">
        {OPTION_COLORS.map((each) => (
          <Menu.RadioItem
            key={each}
            value={each}
            checked={each === color}
            closeMenuOnClick
            rightSection={<span className="choice-swatch" style={{ background: optionColors(each).dot }} aria-hidden />}
            onChange={() => onColor(each)}
          >
            {colorName(each)}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
