// The single mutations that a source file allows: operators, constants, conditions, dropped statements, positions off by one.
// Types, strings, comments and imports are left alone.
import ts from 'typescript';

const { SyntaxKind } = ts;

/** Operators and what stands in for them. */
const OPERATORS = new Map([
  [SyntaxKind.PlusToken, ['-']],
  [SyntaxKind.MinusToken, ['+']],
  [SyntaxKind.AsteriskToken, ['+']],
  [SyntaxKind.SlashToken, ['*']],
  [SyntaxKind.PercentToken, ['*']],
  [SyntaxKind.LessThanToken, ['<=', '>']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [SyntaxKind.EqualsEqualsToken, ['!=']],
  [SyntaxKind.ExclamationEqualsToken, ['==']],
  [SyntaxKind.AmpersandAmpersandToken, ['||']],
  [SyntaxKind.BarBarToken, ['&&']],
  [SyntaxKind.AmpersandToken, ['|']],
  [SyntaxKind.BarToken, ['&']],
  [SyntaxKind.LessThanLessThanToken, ['>>']],
  [SyntaxKind.GreaterThanGreaterThanToken, ['<<']],
  [SyntaxKind.GreaterThanGreaterThanGreaterThanToken, ['<<']],
  [SyntaxKind.PlusEqualsToken, ['-=']],
  [SyntaxKind.MinusEqualsToken, ['+=']],
  [SyntaxKind.AsteriskEqualsToken, ['+=']],
]);

/**
 * Lists the mutations of a file, in the order of the text; of each, `text` takes the place of the source from `start` to `end`.
 *
 * @returns {{kind: string, start: number, end: number, text: string}[]}
 */
export function mutationsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true);
  const found = [];
  const add = (kind, node, text) => {
    found.push({ kind, start: node.getStart(file), end: node.getEnd(), text });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    mutate(node, add, file);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

function mutate(node, add, file) {
  if (ts.isBinaryExpression(node)) mutateOperator(node, add);
  else if (ts.isNumericLiteral(node)) mutateConstant(node, add);
  else if (node.kind === SyntaxKind.TrueKeyword) add('constant', node, 'false');
  else if (node.kind === SyntaxKind.FalseKeyword) add('constant', node, 'true');
  else if (ts.isIfStatement(node)) mutateCondition(node.expression, add, file);
  // The other conditions of a loop make it endless, which tests notice by their time alone.
  else if (ts.isWhileStatement(node)) add('condition', node.expression, 'false');
  else if (ts.isConditionalExpression(node)) mutateCondition(node.condition, add, file);
  else if (ts.isElementAccessExpression(node)) mutateIndex(node.argumentExpression, add, file);
  else if (isDroppable(node)) add('dropped statement', node, ';');
  else if (ts.isPropertyAccessExpression(node) && node.name.text === 'length' && !isAssigned(node)) {
    add('off by one', node, `(${node.getText(file)} - 1)`);
  } else if (ts.isPostfixUnaryExpression(node) && !ts.isForStatement(node.parent)) {
    const [from, to] = node.operator === SyntaxKind.PlusPlusToken ? ['++', '--'] : ['--', '++'];
    add('operator', node, node.getText(file).replace(from, to));
  }
}

function mutateOperator({ left, operatorToken, right }, add) {
  // What joins strings is no sum.
  if (operatorToken.kind === SyntaxKind.PlusToken && [left, right].some(isText)) return;
  for (const text of OPERATORS.get(operatorToken.kind) ?? []) add('operator', operatorToken, text);
}

function isText(node) {
  if (ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return true;
  return ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right));
}

function mutateConstant(node, add) {
  const value = Number(node.text);
  if (!Number.isFinite(value)) return;
  if (Number.isInteger(value)) {
    add('constant', node, String(value + 1));
    if (value > 0) add('constant', node, String(value - 1));
  } else {
    add('constant', node, String(value * 2));
  }
}

function mutateCondition(condition, add, file) {
  add('condition', condition, `!(${condition.getText(file)})`);
  add('condition', condition, 'true');
  add('condition', condition, 'false');
}

function mutateIndex(index, add, file) {
  if (ts.isNumericLiteral(index) || ts.isStringLiteral(index)) return;
  add('off by one', index, `${index.getText(file)} + 1`);
}

function isDroppable(node) {
  if (ts.isBreakStatement(node) || ts.isContinueStatement(node) || ts.isThrowStatement(node)) return true;
  if (!ts.isExpressionStatement(node)) return false;
  const { expression } = node;
  const isSuper = ts.isCallExpression(expression) && expression.expression.kind === SyntaxKind.SuperKeyword;
  return !isSuper && !ts.isStringLiteral(expression);
}

function isAssigned(node) {
  return (
    ts.isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind === SyntaxKind.EqualsToken
  );
}
