import { Loader, UnstyledButton } from '@mantine/core'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconArrowRight, IconMap2, IconTemplate } from '#web/ui/icons/later.ts'
import { IconPlus, IconTableImport } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import './getting-started.css'

type GettingStartedProps = {
  /** Undefined if sample data isn't offered. */
  readonly onSample?: (() => void) | undefined
  readonly isSampleStarting: boolean
  readonly onTemplate: () => void
  readonly onImport: () => void
  readonly onEmpty: () => void
}

export function GettingStarted({ onSample, isSampleStarting, onTemplate, onImport, onEmpty }: GettingStartedProps) {
  return (
    <ul className="begin-choices">
      <StartOption
        icon={IconTemplate}
        title={t('Start from a template')}
        words={t(
          'Ten templates, such as inspections, CRM, contracts and projects. Each includes fields, statuses, rules and views.',
        )}
        onChoose={onTemplate}
      />
      {onSample && (
        <StartOption
          icon={IconMap2}
          title={t('Load the sample workspace')}
          words={t(
            'Airports, flights and wildlife strikes: about 14,000 real records to explore. You can delete them later.',
          )}
          isBusy={isSampleStarting}
          onChoose={onSample}
        />
      )}
      <StartOption
        icon={IconTableImport}
        title={t('Import CSV')}
        words={t('Upload a spreadsheet. We detect each column’s type and show a preview before anything is saved.')}
        onChoose={onImport}
      />
      <StartOption
        icon={IconPlus}
        title={t('Start from scratch')}
        words={t('Name your first collection. It starts with a title, notes and files; you can add fields later.')}
        onChoose={onEmpty}
      />
    </ul>
  )
}

type StartOptionProps = {
  readonly icon: Icon
  readonly title: string
  readonly words: string
  readonly isBusy?: boolean
  readonly onChoose: () => void
}

function StartOption({ icon: ChoiceIcon, title, words, isBusy = false, onChoose }: StartOptionProps) {
  return (
    <li>
      <UnstyledButton className="begin-choice" onClick={onChoose} disabled={isBusy}>
        <ChoiceIcon className="begin-choice-icon" size={24} stroke={1.5} aria-hidden />
        <span className="begin-choice-words">
          <strong>{title}</strong>
          <span>{words}</span>
        </span>
        {isBusy ? (
          <Loader size="xs" color="gray" />
        ) : (
          <IconArrowRight className="begin-choice-go" size={18} stroke={1.5} aria-hidden />
        )}
      </UnstyledButton>
    </li>
  )
}
