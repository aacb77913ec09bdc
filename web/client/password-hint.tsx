import { IconCheck, IconPointFilled } from '@tabler/icons-react'
import { PASSWORD_MIN_CHARACTERS, PASSWORD_SENTENCES, type PasswordFault } from '#domain/sessions/password-rules.ts'
import './password-hint.css'

type PasswordHintProps = {
  readonly id: string
  readonly password: string
  readonly verdict: 'good' | PasswordFault
  /** Somebody tried to go on with it. */
  readonly isRefused: boolean
}

/** What a password still lacks, said while it is typed, and how far it is on its way to being long enough. */
export function PasswordHint({ id, password, verdict, isRefused }: PasswordHintProps) {
  const length = [...password].length
  const isGood = verdict === 'good'
  const share = Math.min(1, length / PASSWORD_MIN_CHARACTERS)
  return (
    <div className="password-hint" data-good={isGood || undefined} data-refused={isRefused || undefined}>
      <div className="password-hint-line" aria-hidden>
        <div style={{ scale: `${share} 1` }} />
      </div>
      <p id={id} role={isRefused ? 'alert' : undefined}>
        {isGood ? <IconCheck size={14} stroke={2} aria-hidden /> : <IconPointFilled size={14} aria-hidden />}
        <span>{isGood ? 'This is a good password.' : PASSWORD_SENTENCES[length === 0 ? 'too-short' : verdict]}</span>
      </p>
    </div>
  )
}
