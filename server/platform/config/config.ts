import { join, resolve } from 'node:path'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import {
  type Environment,
  isAddressOrRange,
  isOrigin,
  type Secret,
  secret,
  type SettingReaders,
  settingReaders,
} from '#server/platform/config/setting-readers.ts'
import { readSessionSettings, type SessionSettings } from './session-settings.ts'
import { PROJECT_ROOT } from './project-root.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type S3Settings = {
  readonly endpoint: URL
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
  /** Prefix for every object key, so that workspaces can share a bucket; empty, or ends with a slash. */
  readonly prefix: string
}

/** `name` is used in URLs and must be lowercase. */
export type OidcProvider = {
  readonly name: string
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: Secret
}

export type Config = {
  readonly port: number
  /** Defaults to the loopback address, so that the server isn't exposed unintentionally. */
  readonly host: string
  /** Absolute path of the folder with the database, files and keys; defaults to `./data`. */
  readonly dataFolder: string
  /** Absolute path of the built web app. */
  readonly webFolder: string
  /** The URL that users open. Determines cookie settings, links in emails and the passkey domain. */
  readonly publicUrl: URL
  /** Proxies whose `X-Forwarded-*` headers are trusted; none by default, because any client can send these headers. */
  readonly trustedProxies: readonly string[]
  /** Other origins whose scripts may call the API with a token; none by default. */
  readonly corsOrigins: readonly string[]
  /** PostgreSQL connection URL; without it, SQLite in the data folder is used. */
  readonly databaseUrl: Secret | undefined
  /** S3 settings; without them, files are stored in the data folder. */
  readonly s3: S3Settings | undefined
  /** The owner to create on first start, for unattended setup. */
  readonly owner: { readonly email: string; readonly password: string } | undefined
  /** Whether the first start loads sample data; with `ask`, setup offers the choice. */
  readonly sample: 'yes' | 'no' | 'ask'
  /** SMTP server settings; without them, emails stay in the outbox. */
  readonly mail: { readonly smtpUrl: Secret; readonly from: string } | undefined
  /** URL of a range API for leaked passwords; without it, the check is disabled. */
  readonly passwordRangeUrl: URL | undefined
  readonly oidcProviders: readonly OidcProvider[]
  /** Bytes to keep free on the staging disk; uploads that would leave less are rejected. */
  readonly diskFloorBytes: number
  /** Whether the server may fetch files from URLs that users enter. Off by default. */
  readonly fetchesUploads: boolean
  /** Whether to create a backup before migrations. */
  readonly backsUpBeforeUpgrade: boolean
  /** Session settings for the web app, including the name of the user field that contains the scopes. */
  readonly session: SessionSettings
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Disk space reserved for database growth and repair, in MB. */
const DISK_FLOOR_MB = 200

/** Reads the configuration; returns one message per invalid setting. */
export function readConfig(environment: Environment): Result<Config, string[]> {
  const faults: string[] = []
  const read = settingReaders(environment, faults)
  const port = read.wholeNumber('PORT', 1, 65_535) ?? 4100
  const config: Config = {
    port,
    host: read.matching('HOST', /^[\w.:-]+$/, 'a hostname or IP address, such as 0.0.0.0') ?? '127.0.0.1',
    dataFolder: resolve(read.text('DOSSIER_DATA') ?? 'data'),
    webFolder: resolve(read.text('DOSSIER_WEB_FOLDER') ?? join(PROJECT_ROOT, 'dist', 'web')),
    publicUrl: readPublicUrl(read, port),
    trustedProxies: read.list(
      'DOSSIER_TRUSTED_PROXIES',
      isAddressOrRange,
      'an IP address or a range such as 10.0.0.0/8',
    ),
    corsOrigins: read.list('DOSSIER_CORS_ORIGINS', isOrigin, 'an origin such as https://app.example.org'),
    databaseUrl: readDatabaseUrl(read),
    s3: readS3(read),
    owner: readOwner(read),
    sample: read.choice('DOSSIER_SAMPLE', ['yes', 'no', 'ask']) ?? 'ask',
    mail: readMail(read),
    passwordRangeUrl: readPasswordRangeUrl(read),
    oidcProviders: readOidcProviders(read, environment),
    diskFloorBytes: (read.wholeNumber('UPLOAD_DISK_FLOOR', 0, 1_000_000_000) ?? DISK_FLOOR_MB) * 1_000_000,
    fetchesUploads: read.choice('UPLOAD_FETCH', ['on', 'off']) === 'on',
    backsUpBeforeUpgrade: read.choice('DOSSIER_BACKUP_BEFORE_UPGRADE', ['on', 'off']) !== 'off',
    session: readSessionSettings(read, environment),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS) ?? 'info',
  }
  return faults.length === 0 ? ok(config) : fail(faults)
}

function readPublicUrl(read: SettingReaders, port: number): URL {
  const url = read.url('DOSSIER_URL', ['http:', 'https:'])
  if (url && (url.pathname !== '/' || url.search || url.hash || url.username)) {
    read.refuse('DOSSIER_URL must contain only scheme, host and port. Dossier does not support running under a path.')
  }
  return url ?? new URL(`http://localhost:${port}`)
}

function readDatabaseUrl(read: SettingReaders): Secret | undefined {
  const url = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  if (url && url.pathname.length < 2) {
    read.refuse('DATABASE_URL has no database name. Use the format postgres://user:password@host:5432/name.')
  }
  return url && secret(url.href)
}

function readS3(read: SettingReaders): S3Settings | undefined {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const values = read.together(names, 'S3 storage needs all of these settings')
  const endpoint = read.url('S3_ENDPOINT', ['http:', 'https:'])
  if (endpoint && (endpoint.pathname !== '/' || endpoint.search || endpoint.hash || endpoint.username)) {
    read.refuse('S3_ENDPOINT must contain only scheme, host and port. Set the bucket in S3_BUCKET.')
  }
  read.matching('S3_BUCKET', /^[\w.-]+$/, 'a bucket name')
  const prefix = read.matching(
    'S3_PREFIX',
    /^[\w.-]+(?:\/[\w.-]+)*\/?$/,
    'path segments separated by slashes, such as dossier/files',
  )
  if (!values || !endpoint) return undefined
  return {
    endpoint,
    bucket: values.S3_BUCKET,
    // The region accepted by most S3-compatible servers.
    region: read.text('S3_REGION') ?? 'us-east-1',
    accessKeyId: values.S3_ACCESS_KEY_ID,
    secretAccessKey: secret(values.S3_SECRET_ACCESS_KEY),
    prefix: prefix === undefined ? '' : prefix.replace(/\/?$/, '/'),
  }
}

const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/

function readOwner(read: SettingReaders): Config['owner'] {
  const names = ['DOSSIER_OWNER_EMAIL', 'DOSSIER_OWNER_PASSWORD'] as const
  const values = read.together(names, 'creating an owner requires both')
  read.matching('DOSSIER_OWNER_EMAIL', EMAIL, 'an email address')
  return values && { email: values.DOSSIER_OWNER_EMAIL, password: values.DOSSIER_OWNER_PASSWORD }
}

function readMail(read: SettingReaders): Config['mail'] {
  const values = read.together(['SMTP_URL', 'MAIL_FROM'], 'sending email requires both')
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  read.matching(
    'MAIL_FROM',
    /^(?:[^\s@<>]+@[^\s@<>]+|[^<>]+<[^\s@<>]+@[^\s@<>]+>)$/,
    'an address such as Dossier <dossier@example.org>',
  )
  return values && url && { smtpUrl: secret(url.href), from: values.MAIL_FROM }
}

function readPasswordRangeUrl(read: SettingReaders): URL | undefined {
  const url = read.safeUrl('PASSWORD_RANGE_URL')
  if (url && (url.search || url.hash || url.username)) {
    read.refuse(
      'PASSWORD_RANGE_URL must be a URL without query, fragment or credentials, such as https://passwords.example.org/range. The hash prefix is appended to it.',
    )
  }
  return url
}

const OIDC_SETTING = /^OIDC_([A-Z0-9]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/

function readOidcProviders(read: SettingReaders, environment: Environment): OidcProvider[] {
  const settings = Object.keys(environment).filter((name) => name.startsWith('OIDC_') && read.text(name) !== undefined)
  for (const strange of settings.filter((name) => !OIDC_SETTING.test(name))) {
    read.refuse(
      `Unknown setting ${strange}. Supported: OIDC_<NAME>_ISSUER, OIDC_<NAME>_CLIENT_ID and OIDC_<NAME>_CLIENT_SECRET.`,
    )
  }
  const names = new Set(settings.flatMap((name) => OIDC_SETTING.exec(name)?.[1] ?? []))
  return [...names].flatMap((name) => readOidcProvider(read, name) ?? [])
}

function readOidcProvider(read: SettingReaders, name: string): OidcProvider | undefined {
  const [issuerName, idName, secretName] = [
    `OIDC_${name}_ISSUER`,
    `OIDC_${name}_CLIENT_ID`,
    `OIDC_${name}_CLIENT_SECRET`,
  ]
  const values = read.together([issuerName, idName, secretName], 'an identity provider requires all three')
  const issuer = read.safeUrl(issuerName)
  if (!values || !issuer) return undefined
  return {
    name: name.toLowerCase(),
    issuer,
    clientId: values[idName] ?? '',
    clientSecret: secret(values[secretName] ?? ''),
  }
}
