import { Loader, UnstyledButton } from '@mantine/core'
import type { Icon } from '#web/kit/icons/draw-icon.tsx'
import { IconArrowRight } from '#web/kit/icons/icon-arrow-right.ts'
import { IconMap2 } from '#web/kit/icons/icon-map-2.ts'
import { IconPlus } from '#web/kit/icons/icon-plus.ts'
import { IconTableImport } from '#web/kit/icons/icon-table-import.ts'
import { IconTemplate } from '#web/kit/icons/icon-template.ts'
import { t } from '#web/language/t.ts'
import './begin-choices.css'

type BeginChoicesProps = {
  /** Absent where the sample is not offered. */
  readonly onSample?: (() => void) | undefined
  readonly isSampleStarting: boolean
  readonly onTemplate: () => void
  readonly onImport: () => void
  readonly onEmpty: () => void
}

/** Four ways to begin, for a workspace in which nothing is yet. */
export function BeginChoices({ onSample, isSampleStarting, onTemplate, onImport, onEmpty }: BeginChoicesProps) {
  return (
    <ul className="begin-choices">
      <Choice
        icon={IconTemplate}
        title={t('Begin with a template')}
        words={t(
          'Cases, assets, applicants, research samples or articles: ready collections with their fields, states, rules and views.',
        )}
        onChoose={onTemplate}
      />
      {onSample && (
        <Choice
          icon={IconMap2}
          title={t('Load the sample workspace')}
          words={t(
            'Airports, flights and the animals that got in their way: about 14,000 real records to look around in. You can delete them later.',
          )}
          isBusy={isSampleStarting}
          onChoose={onSample}
        />
      )}
      <Choice
        icon={IconTableImport}
        title={t('Import a CSV')}
        words={t(
          'Bring a spreadsheet. Dossier finds out what each column holds and shows you before anything is stored.',
        )}
        onChoose={onImport}
      />
      <Choice
        icon={IconPlus}
        title={t('Start empty')}
        words={t('Name your first collection. It begins with a title, notes and files; add fields as you go.')}
        onChoose={onEmpty}
      />
    </ul>
  )
}

type ChoiceProps = {
  readonly icon: Icon
  readonly title: string
  readonly words: string
  readonly isBusy?: boolean
  readonly onChoose: () => void
}

function Choice({ icon: ChoiceIcon, title, words, isBusy = false, onChoose }: ChoiceProps) {
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
