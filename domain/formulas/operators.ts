import { type Result, ok } from '#domain/shared/result.ts'
import { call, constant, type Expression, type FormulaType } from './expression.ts'
import { equal, isFilled, not, textOf } from './functions/formula-function.ts'
import type { OperationName } from './operations/operations.ts'
import type { FormulaNode, FormulaOperator } from './parse-formula.ts'
import { asType, conversion, faultAt, type FormulaFault, type Typed, TYPE_LABELS } from './typing.ts'

type OperatorNode = Extract<FormulaNode, { type: 'operator' }>
type Built = Result<Expression, FormulaFault>

const ARITHMETIC: { readonly [Op in FormulaOperator]?: OperationName } = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
}

/** Builds the expression of an operator from its checked operands. */
export function buildOperator(node: OperatorNode, args: readonly Typed[]): Built {
  const { op } = node
  switch (op) {
    case '||':
    case '&&':
      return withTypes(node, args, 'boolean', (all) => call('boolean', op === '||' ? 'or' : 'and', ...all))
    case '+':
    case '-':
    case '*':
    case '/':
      return withTypes(node, args, 'number', (all) => call('number', ARITHMETIC[op] ?? 'add', ...all))
    case 'negative':
      return withTypes(node, args, 'number', ([value]) => negated(value))
    case '&':
      return ok(joined(args.flatMap((one) => (one === 'blank' ? [] : [textOf(one)]))))
    case '~':
    case '!~':
    case '^=':
    case '$=':
      return withTypes(node, args, 'text', (all) => textTest(op, all))
    case 'is empty':
    case 'is not empty':
      return ok(emptiness(op, args[0]))
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
    case 'between':
      return compare(node, args)
  }
}

function negated(value: Expression | undefined): Expression {
  if (value?.node === 'constant' && typeof value.value === 'number') return constant('number', 0 - value.value)
  return value ? call('number', 'negate', value) : constant('number', null)
}

/** Several `&` are one operation. */
const joined = (parts: readonly Expression[]): Expression =>
  call(
    'text',
    'concat',
    ...parts.flatMap((part) => (part.node === 'call' && part.operation === 'concat' ? part.args : [part])),
  )

const TEXT_TESTS = { '~': 'foldContains', '!~': 'foldContains', '^=': 'foldStarts', '$=': 'foldEnds' } as const

function textTest(op: keyof typeof TEXT_TESTS, all: readonly Expression[]): Expression {
  const holds = call('boolean', TEXT_TESTS[op], ...all)
  return op === '!~' ? not(holds) : holds
}

function emptiness(op: 'is empty' | 'is not empty', value: Typed | undefined): Expression {
  const filled = value === undefined || value === 'blank' ? constant('boolean', false) : isFilled(value)
  return op === 'is empty' ? not(filled) : filled
}

function withTypes(
  node: OperatorNode,
  args: readonly Typed[],
  type: FormulaType,
  build: (all: readonly Expression[]) => Expression,
): Built {
  const all: Expression[] = []
  for (const [place, arg] of args.entries()) {
    const one = asType(arg, type)
    if (!one) return faultAt(node.args[place] ?? node, operandFault(node.op, arg, type))
    all.push(one)
  }
  return ok(build(all))
}

function operandFault(op: FormulaOperator, arg: Typed, type: FormulaType): string {
  const found = arg === 'blank' ? 'an empty value' : TYPE_LABELS[arg.type]
  const sign = op === 'negative' ? '-' : op
  if (op === '+' && arg !== 'blank' && arg.type === 'text') return 'Texts can’t be added. Use & to join texts.'
  if ((op === '+' || op === '-') && arg !== 'blank' && (arg.type === 'date' || arg.type === 'date-time'))
    return `Dates can’t be used with ${sign}. Use dateadd(…) or datetime_diff(…).`
  return `${sign} needs ${TYPE_LABELS[type]} here, not ${found}.${conversion(arg, type)}`
}

/** An empty value would never be equal, which is hardly what is meant. */
const isNothing = (arg: Typed): boolean => arg === 'blank' || (arg.node === 'constant' && arg.value === '')

function compare(node: OperatorNode, args: readonly Typed[]): Built {
  const nothing = args.findIndex(isNothing)
  if (nothing !== -1)
    return faultAt(node.args[nothing] ?? node, 'Use “is empty” or “is not empty” to test for empty values.')
  const exact = args.find((arg, place) => arg !== 'blank' && node.args[place]?.type !== 'literal') ?? args[0]
  const type = exact === undefined || exact === 'blank' || exact.type === 'wall' ? 'text' : exact.type
  return withComparable(node, args, type)
}

function withComparable(node: OperatorNode, args: readonly Typed[], type: FormulaType): Built {
  const all: Expression[] = []
  for (const [place, arg] of args.entries()) {
    const one = asType(arg, type)
    if (!one) {
      const found = arg === 'blank' ? 'an empty value' : TYPE_LABELS[arg.type]
      return faultAt(
        node.args[place] ?? node,
        `${TYPE_LABELS[type]} can’t be compared with ${found}.${conversion(arg, type)}`,
      )
    }
    all.push(one)
  }
  const isOrdered = node.op !== '=' && node.op !== '!=' && node.op !== 'in'
  if (isOrdered && type === 'boolean') return faultAt(node, `${node.op} can’t be used with true or false.`)
  return ok(comparison(node.op, all))
}

function comparison(op: FormulaOperator, [left, ...rest]: readonly Expression[]): Expression {
  const [right, third] = rest
  if (!left || !right) return constant('boolean', false)
  switch (op) {
    case '!=':
      return not(equal(left, right))
    case '<':
      return less(left, right)
    case '<=':
      return lessOrEqual(left, right)
    case '>':
      return less(right, left)
    case '>=':
      return lessOrEqual(right, left)
    case 'in':
      return call('boolean', 'or', ...rest.map((one) => equal(left, one)))
    case 'between':
      return call('boolean', 'and', lessOrEqual(right, left), lessOrEqual(left, third ?? right))
    default:
      return equal(left, right)
  }
}

/** Texts are compared in sort order. */
const less = (left: Expression, right: Expression): Expression =>
  call('boolean', left.type === 'text' ? 'lessText' : 'less', left, right)

const lessOrEqual = (left: Expression, right: Expression): Expression =>
  call('boolean', left.type === 'text' ? 'lessOrEqualText' : 'lessOrEqual', left, right)
