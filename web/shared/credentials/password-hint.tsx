import {
  checkPassword,
  PASSWORD_MIN_CHARACTERS,
  PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR,
  PASSWORD_MESSAGES,
  type PasswordFault,
  type PasswordOwner,
} from '#domain/sessions/password-rules.ts'
import { IconCheck, IconPointFilled } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import './password-hint.css'

type PasswordHintProps = {
  readonly password: string
  readonly owner: PasswordOwner
  readonly verdict: 'good' | PasswordFault
  /** What the server has against it. */
  readonly refusal: string | undefined
  /** Somebody tried to go on with it. */
  readonly isRefused: boolean
}

function sentenceFor({ password, owner, verdict, refusal }: PasswordHintProps): string {
  if (refusal !== undefined) return refusal
  if (verdict === 'good') return t('Strong password.')
  // Before anything is typed, what is needed most is said, whatever an empty text would be refused for.
  const fault = password === '' ? checkPassword('', owner) : verdict
  return fault === 'good' ? '' : PASSWORD_MESSAGES[fault]
}

/** What a password still lacks, said while it is typed, and how far it is on its way to being long enough. */
export function PasswordHint(props: PasswordHintProps) {
  const { password, owner, verdict, refusal, isRefused } = props
  const isGood = verdict === 'good' && refusal === undefined
  const needed = owner.hasSecondFactor === true ? PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR : PASSWORD_MIN_CHARACTERS
  const share = Math.min(1, [...password].length / needed)
  return (
    <div className="password-hint" data-good={isGood || undefined} data-refused={isRefused || undefined}>
      <div className="password-hint-line" aria-hidden>
        <div style={{ scale: `${share} 1` }} />
      </div>
      <p role={isRefused ? 'alert' : undefined}>
        {isGood ? <IconCheck size={14} stroke={2} aria-hidden /> : <IconPointFilled size={14} aria-hidden />}
        <span>{sentenceFor(props)}</span>
      </p>
    </div>
  )
}
