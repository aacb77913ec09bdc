import { Button, Switch } from '@mantine/core'
import { useId, useState } from 'react'
import { foldText } from '#domain/shared/text.ts'
import { areSingleKeysEnabled, setSingleKeys } from '#web/data/storage/browser-storage.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconKeyboard } from '#web/ui/icons/frame.ts'
import { IconPrinter } from '#web/ui/icons/general.ts'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { ShortcutList, shortcutWords } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'
import { type ShortcutGroup, type ShortcutRow, shortcutGroups } from './shortcut-groups.ts'
import './shortcut-sheet.css'

type ShortcutSheetProps = { readonly isOpen: boolean; readonly onClose: () => void }

export function ShortcutSheet({ isOpen, onClose }: ShortcutSheetProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={t('Keyboard shortcuts')}
      size={880}
      classNames={{ content: 'shortcut-sheet' }}
    >
      <Sheet />
    </Dialog>
  )
}

function Sheet() {
  const [text, setText] = useState('')
  const groups = foundGroups(shortcutGroups(), text)
  return (
    <>
      <div className="shortcut-sheet-tools">
        <SearchField label={t('Search shortcuts')} value={text} onChange={setText} hasFocus />
        <Button leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />} onClick={() => window.print()}>
          {t('Print')}
        </Button>
      </div>
      <div className="shortcut-groups">
        {groups.map((group) => (
          <Group key={group.name} group={group} />
        ))}
      </div>
      <div role="status">
        {groups.length === 0 && (
          <EmptyState
            icon={IconKeyboard}
            text={t('No shortcuts found for “{words}”.', { words: text.trim() })}
            action={{ label: t('Show all'), onClick: () => setText('') }}
          />
        )}
      </div>
      <SingleKeys />
    </>
  )
}

function foundGroups(groups: readonly ShortcutGroup[], text: string): readonly ShortcutGroup[] {
  const requested = foldText(text).split(/\s+/).filter(Boolean)
  const fits = (line: ShortcutRow) => {
    const all = foldText([line.does, ...line.keys.map((keys) => shortcutWords(keys))].join(' '))
    return requested.every((word) => all.includes(word))
  }
  return groups.map(({ name, lines }) => ({ name, lines: lines.filter(fits) })).filter(({ lines }) => lines.length > 0)
}

function Group({ group: { name, lines } }: { readonly group: ShortcutGroup }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      <ShortcutList lines={lines} />
    </section>
  )
}

function SingleKeys() {
  const [areOn, setOn] = useState(areSingleKeysEnabled)
  return (
    <div className="shortcut-single">
      <WithHelp setting="single-keys">
        <Switch
          label={t('Single-key shortcuts, such as C, / and ?')}
          description={t('Turn them off if you use dictation or press keys by accident. Other shortcuts keep working.')}
          checked={areOn}
          onChange={({ currentTarget }) => {
            setSingleKeys(currentTarget.checked)
            setOn(currentTarget.checked)
          }}
        />
      </WithHelp>
    </div>
  )
}
