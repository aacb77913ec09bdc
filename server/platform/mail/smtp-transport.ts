import type { Transporter } from 'nodemailer'
import type { Config } from '#server/platform/config/config.ts'
import type { Email } from './email-templates.ts'

export type SendResult = { readonly isSent: true } | { readonly isSent: false; readonly failure: string }

export type SmtpTransport = { readonly send: (email: Email) => Promise<SendResult>; readonly close: () => void }

/** Timeouts in ms: long enough for a slow server, short enough for shutdown. */
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

const MAX_FAILURE_LENGTH = 300

/** Opens the transport; the library is loaded and connects only for the first email. */
export function openSmtpTransport({ smtpUrl, from }: NonNullable<Config['mail']>): SmtpTransport {
  let opened: Promise<Transporter> | undefined
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ url: smtpUrl.reveal(), ...SMTP_TIMEOUTS })
  }
  return {
    send: async ({ to, subject, text }) => {
      opened ??= open()
      const transport = await opened
      // Marks the email as automatic, so that auto-responders and mailing lists don't reply.
      return transport.sendMail({ from, to, subject, text, headers: { 'Auto-Submitted': 'auto-generated' } }).then(
        () => ({ isSent: true }),
        (error: unknown) => ({ isSent: false, failure: failureOf(error) }),
      )
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The mail server can’t be used.'
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message}`.replaceAll(/\s+/g, ' ').slice(0, MAX_FAILURE_LENGTH)
}
