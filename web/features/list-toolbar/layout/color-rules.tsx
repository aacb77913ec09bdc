import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { OPTION_COLORS, type OptionColor } from '#domain/fields/field.ts'
import { MAX_COLOR_RULES } from '#domain/views/view.ts'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import { useReorder } from '#web/shared/reorder/use-reorder.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'

import type { ColorRule, ListSettingsProps } from '#web/views/listing/list-settings.ts'
import { ColorRuleRow } from './color-rule-row.tsx'
import { describeColorRule } from '#web/views/listing/conditional-colors/conditional-colors.ts'
import '../../../views/listing/conditional-colors/conditional-colors.css'
import './colors-panel.css'

/** A new rule without a condition has no effect. */
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
      {drafts.length === 0 && <p className="colours-hint">{t('Highlight rows or cells that match a condition.')}</p>}
      <ul ref={reorder.listRef} className="colours-list" aria-label={t('Validation rules')}>
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
      {drafts.length > 1 && <p className="colours-hint">{t('The first matching rule applies.')}</p>}
      <Button
        ref={adding}
        size="xs"
        variant="subtle"
        className="colours-add"
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

/** Rules with drafts that have no condition yet. */
function useDrafts(colors: readonly ColorRule[], onColors: (colors: readonly ColorRule[]) => void) {
  const ids = useRef(0)
  const newId = () => {
    ids.current += 1
    return ids.current
  }
  const draftsOf = (rules: readonly ColorRule[]) => rules.map((rule): RuleDraft => ({ id: newId(), rule }))
  const [held, setHeld] = useState(() => ({ colors, drafts: draftsOf(colors) }))
  // Own changes come back unchanged; others reset the drafts.
  if (held.colors !== colors) setHeld({ colors, drafts: draftsOf(colors) })

  const change = (drafts: readonly RuleDraft[]) => {
    const next = drafts.flatMap(({ rule }) => (rule.filter === '' ? [] : [rule]))
    const isSame = next.length === colors.length && next.every((rule, at) => rule === colors[at])
    setHeld({ colors: isSame ? colors : next, drafts: [...drafts] })
    if (!isSame) onColors(next)
  }
  return { drafts: held.drafts, change, newId }
}
