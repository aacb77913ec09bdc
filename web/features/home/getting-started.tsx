import { Loader, UnstyledButton } from '@mantine/core'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconArrowRight } from '#web/ui/icons/icon-arrow-right.ts'
import { IconMap2 } from '#web/ui/icons/icon-map-2.ts'
import { IconPlus } from '#web/ui/icons/icon-plus.ts'
import { IconTableImport } from '#web/ui/icons/icon-table-import.ts'
import { IconTemplate } from '#web/ui/icons/icon-template.ts'
import { t } from '#web/i18n/t.ts'
import './getting-started.css'

type GettingStartedProps = {
  /** Absent where the sample is not offered. */
  readonly onSample?: (() => void) | undefined
  readonly isSampleStarting: boolean
  readonly onTemplate: () => void
  readonly onImport: () => void
  readonly onEmpty: () => void
}

/** Four ways to begin, for a workspace in which nothing is yet. */
export function GettingStarted({ onSample, isSampleStarting, onTemplate, onImport, onEmpty }: GettingStartedProps) {
  return (
    <ul className="begin-choices">
      <StartOption
        icon={IconTemplate}
        title={t('Begin with a template')}
        words={t(
          'Cases, assets, applicants, research samples or articles: ready collections with their fields, states, rules and views.',
        )}
        onChoose={onTemplate}
      />
      {onSample && (
        <StartOption
          icon={IconMap2}
          title={t('Load the sample workspace')}
          words={t(
            'Airports, flights and the animals that got in their way: about 14,000 real records to look around in. You can delete them later.',
          )}
          isBusy={isSampleStarting}
          onChoose={onSample}
        />
      )}
      <StartOption
        icon={IconTableImport}
        title={t('Import a CSV')}
        words={t(
          'Bring a spreadsheet. Dossier finds out what each column holds and shows you before anything is stored.',
        )}
        onChoose={onImport}
      />
      <StartOption
        icon={IconPlus}
        title={t('Start empty')}
        words={t('Name your first collection. It begins with a title, notes and files; add fields as you go.')}
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
